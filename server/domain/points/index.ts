export { redeemPoints } from './redeem';
export { balanceOfPoints, pointsEarned } from './rules';
export { pointsBalance, type RedeemPointsOutput, redeemPointsInput, redeemPointsOutput } from './schemas';
