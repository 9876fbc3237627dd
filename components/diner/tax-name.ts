/** Names a tax with its rate in percent: `GST 9%`. */
export function taxNamer(tax: string, language: string): (rate: number | null) => string {
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 3 });
  return (rate) => (rate === null ? tax : `${tax} ${percent.format(rate / 100)}`);
}
