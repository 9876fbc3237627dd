interface CodeImageProps {
  /** Rendered by the server. */
  svg: string;
  alt: string;
  className: string;
}

/** A QR code to scan. An SVG in an <img> cannot run scripts. */
export function CodeImage({ svg, alt, className }: CodeImageProps) {
  const src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  // biome-ignore lint/performance/noImgElement: it came with the page; there is nothing for next/image to fetch
  return <img src={src} alt={alt} className={className} />;
}
