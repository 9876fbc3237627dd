import { processLog } from './log';

/** What an operator's monitoring can watch for (docs/operations.md). Names are part of what operators rely on. */
export type SecurityEvent =
  | 'staff.signed_in'
  | 'staff.sign_in_refused'
  | 'staff.signed_out'
  | 'staff.sessions_ended'
  | 'staff.password_changed'
  | 'staff.role_refused'
  | 'staff.second_step_refused'
  | 'staff.second_factor_changed'
  | 'export.downloaded'
  | 'api_key.refused'
  | 'api_key.network_refused'
  | 'api_key.scope_refused'
  | 'customers.look_ups_limited'
  | 'codes.limit_reached'
  | 'webhook.refused'
  | 'webhook.endpoint_changed'
  | 'webhook.endpoint_disabled';

/** Ids, names of lists, counts and shortened networks only: no phone number, e-mail address, token or name of a person. */
type Facts = Record<string, string | number | boolean | null>;

/** Writes a line `{"security": event, …, "msg": "security"}`. */
export const logSecurity = (security: SecurityEvent, facts: Facts): void =>
  processLog().info({ security, ...facts }, 'security');
