/** Redemption of points, and the points that sales earn. */

export { loadNoPointsPlus } from './exclusions';
export { redeemPoints } from './redeem';
export { balanceOfPoints, earningAmount, pointsEarned, withoutExcluded } from './rules';
export { type RedeemPointsOutput, redeemPointsInput, redeemPointsOutput } from './schemas';
