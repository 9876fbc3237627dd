/** The product's name. Changing it here changes it everywhere. */
export const productName = 'Tableside';
