/** Sales send no live update, so the figures are polled while the page is visible. */
export const refreshMs = 30_000;
