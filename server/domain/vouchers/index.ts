/** Campaigns, issue, redemption and pricing of vouchers. */

export {
  type Audience,
  type CampaignInput,
  campaignIdInput,
  campaignInput,
  campaignListInput,
  cancelVoucherInput,
  countSegmentInput,
  giveInput,
  issueInput,
  pluChoicesInput,
  recipientsInput,
  voucherListInput,
} from './campaign-schemas';
export { cancelVoucher, listVouchers } from './campaign-vouchers';
export { countUntranslatedCampaigns, getCampaign, listCampaigns } from './campaigns';
export { createCampaign, setCampaignArchived, setCampaignPaused, updateCampaign } from './change-campaign';
export { tryVouchers } from './fitting';
export { giveVoucher, listGivable } from './give';
export {
  campaignKey,
  cancelImported,
  findImportable,
  findImported,
  giveImported,
  type HeldVouchers,
  type ImportableCampaign,
} from './imported';
export { issueOnJoin, issueOnVerified, issueVoucher, toVoucher, voucherColumns } from './issue';
export { countSegment, issueByStaff } from './issue-by-staff';
export { continueIssue, issueVouchersTask, requeueStalledIssues } from './issue-run';
export { beginOccasions, beginOccasionsOf } from './occasions';
export { listPluChoices } from './plu-choices';
export { findRecipients } from './recipients';
export { redeemVoucher } from './redeem';
export { findRedeemedOn } from './redeemed-together';
export { type RedeemVoucherOutput, redeemVoucherInput, redeemVoucherOutput } from './schemas';
