import { ImageIcon } from 'lucide-react';
import { classNames } from '../../ui/class-names';

interface PhotoProps {
  photoId: string | null;
  /** The stored edge length, in pixels. */
  size: 160 | 640;
  className: string;
}

/** An item's photo, or a placeholder. The alt text is empty because the item's name is next to it. */
export function Photo({ photoId, size, className }: PhotoProps) {
  const look = classNames('shrink-0 rounded-lg bg-tint object-cover', className);
  if (photoId === null) {
    return (
      <span className={classNames(look, 'flex items-center justify-center text-muted')}>
        <ImageIcon className="size-5" aria-hidden="true" />
      </span>
    );
  }
  const src = `/photos/${photoId}/${size}`;
  // biome-ignore lint/performance/noImgElement: it is small already, and next/image writes styles that our policy forbids
  return <img src={src} alt="" width={size} height={size} className={look} />;
}
