interface SparkLineProps {
  values: number[];
}

const [width, height, margin] = [72, 20, 2];

/** The course of a figure as a small line. The figures beside it say the rest, so screen readers skip it. */
export function SparkLine({ values }: SparkLineProps) {
  if (values.length < 2) return null;
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const x = (at: number) => margin + (at / (values.length - 1)) * (width - 2 * margin);
  const y = (value: number) => height - margin - ((value - low) / (high - low || 1)) * (height - 2 * margin);
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="ml-auto h-5 w-18" aria-hidden="true">
      <polyline points={points} fill="none" stroke="var(--accent)" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  );
}
