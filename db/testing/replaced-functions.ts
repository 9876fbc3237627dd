/** Functions that only the release before this one calls. A contract migration of the next release drops them. */
export const replacedFunctions = ['authenticate_api_key', 'end_stock_outs'];
