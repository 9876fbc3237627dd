/** The anchor of a heading, as on GitHub. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-');

export interface Section {
  /** Empty for the text above the first heading. */
  heading: string;
  /** Markdown without samples. */
  text: string;
}

/** The parts of a page under its second-level headings. */
export function sectionsOf(markdown: string): Section[] {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, '').replace(/^# .+$/m, '');
  const [intro = '', ...parts] = prose.split(/^## /m);
  const sections = parts.map((part) => {
    const end = part.indexOf('\n');
    return { heading: part.slice(0, end).replaceAll('`', '').trim(), text: part.slice(end) };
  });
  return [{ heading: '', text: intro }, ...sections];
}

/** The second-level headings of a page. */
export const headingsOf = (markdown: string): string[] =>
  sectionsOf(markdown)
    .map(({ heading }) => heading)
    .filter(Boolean);
