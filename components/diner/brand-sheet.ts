/** The address of the style sheet that gives diners' pages the merchant's colour. */
export const brandSheetPath = (accentColour: string): string => `/brand/${accentColour.slice(1)}.css`;

/**
 * The colours of the theme in a merchant's hue, by colour scheme. They have the lightness of the product's own, so texts and
 * buttons keep their contrast with any `accentColour` (`#rrggbb`).
 */
export function brandColours(accentColour: string) {
  const tone = (lightness: number, chroma: number) => `oklch(from ${accentColour} ${lightness} min(c, ${chroma}) h)`;
  return {
    light: {
      accent: tone(0.45, 0.2),
      'accent-strong': tone(0.38, 0.17),
      'on-accent': tone(0.99, 0.01),
      tint: tone(0.953, 0.025),
      plate: tone(0.42, 0.2),
      zest: tone(0.87, 0.15),
    },
    dark: {
      accent: tone(0.84, 0.17),
      'accent-strong': tone(0.9, 0.12),
      'on-accent': tone(0.22, 0.05),
      tint: tone(0.27, 0.035),
      plate: tone(0.48, 0.18),
      zest: tone(0.87, 0.15),
    },
  };
}

/** The style sheet itself. A browser without relative colours keeps the product's own. */
export function brandSheet(accentColour: string): string {
  const { light, dark } = brandColours(accentColour);
  // Stronger than the theme's own `:root`.
  const rule = (colours: Record<string, string>) =>
    `:root:root{${Object.entries(colours)
      .map(([name, value]) => `--${name}:${value}`)
      .join(';')}}`;
  return `@supports (color:oklch(from red l c h)){${rule(light)}@media (prefers-color-scheme:dark){${rule(dark)}}}\n`;
}
