/** The name that people see; change it here and it changes everywhere. */
export const productName = 'Tableside';
