/** The header in which a page of the back office names the merchant that it was made for. */
export const merchantHeader = 'x-merchant-id';

/** How many calls one request of a screen carries at most. */
export const maxBatchSize = 50;
