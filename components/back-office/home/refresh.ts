/** Tills do not announce each sale: what they do is asked for again and again while somebody looks. */
export const refreshMs = 30_000;
