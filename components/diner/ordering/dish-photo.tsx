/** A dish's photo in its sheet, at most a third of the sheet. */
export const DishPhoto = ({ photoId }: { photoId: string }) => (
  // biome-ignore lint/performance/noImgElement: it is sized already, and next/image writes styles that our policy forbids
  <img
    src={`/photos/${photoId}/640`}
    alt=""
    width={640}
    height={640}
    className="h-[min(28dvh,11.5rem)] w-full bg-tint object-cover"
  />
);
