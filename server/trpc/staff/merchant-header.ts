/** The header in which a back-office page names the merchant that it shows. */
export const merchantHeader = 'x-merchant-id';

/** Max calls in one request of a screen. */
export const maxBatchSize = 50;
