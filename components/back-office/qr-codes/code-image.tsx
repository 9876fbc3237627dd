interface CodeImageProps {
  /** As the server draws it. */
  svg: string;
  alt: string;
  className: string;
}

/** A code to scan. As an image, its SVG can run nothing. */
export function CodeImage({ svg, alt, className }: CodeImageProps) {
  const src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  // biome-ignore lint/performance/noImgElement: it came with the page; there is nothing for next/image to fetch
  return <img src={src} alt={alt} className={className} />;
}
