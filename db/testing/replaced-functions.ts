/** Functions that only the release before calls. A contract migration of the next release drops them. */
export const replacedFunctions = [
  'find_api_key',
  'report_backlog',
  'reports_behind',
  'staff_session',
  'top_ups_to_settle',
  'unsettled_top_ups',
];
