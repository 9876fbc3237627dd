/** The cookie with the reader's language of samples. */
export const sampleCookie = 'sample_language';

export const copyWords = { idle: 'Copy', copied: 'Copied', failed: 'Select and copy' };
