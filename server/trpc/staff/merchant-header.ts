/** The header in which a page of the back office names the merchant that it was made for. */
export const merchantHeader = 'x-merchant-id';
