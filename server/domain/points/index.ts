/** Redemption of points, and what sales earn. */

export { redeemPoints } from './redeem';
export { balanceOfPoints, pointsEarned } from './rules';
export { type RedeemPointsOutput, redeemPointsInput, redeemPointsOutput } from './schemas';
