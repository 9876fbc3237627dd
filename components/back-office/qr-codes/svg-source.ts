/** A code's SVG as an image's source: as an image it can run nothing. */
export const svgSource = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;
