/** Moves a merchant to another cell while it works, by PostgreSQL's logical replication. */

export { moveMerchant, type OnStep, stepNames, undoMove } from './move';
export type { Move, Side } from './sides';
