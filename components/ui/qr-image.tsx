import QRCode from 'qrcode';

const quietModules = 4;

/** A QR code as SVG, dark on light in any theme, because scanners expect that. */
export function QrImage({ text, label }: { text: string; label: string }) {
  const { size, data } = QRCode.create(text, { errorCorrectionLevel: 'M' }).modules;
  const side = size + 2 * quietModules;
  const dark = Array.from(data, (isDark, at) =>
    isDark ? `M${(at % size) + quietModules} ${Math.floor(at / size) + quietModules}h1v1h-1z` : '',
  );
  return (
    <svg
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="w-full max-w-56 rounded-lg border border-line"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
