import { memo } from 'react';
import type { ItemOnOffer } from '@/server/domain/qr-ordering';
import { fillText } from '../words';
import { ItemFacts } from './item-facts';
import { useSpeech } from './table-context';

interface MenuItemProps {
  item: ItemOnOffer;
  isPopular: boolean;
  /** Its quantity in the cart. */
  inCart: number;
}

/**
 * A dish on the menu. A tap anywhere on it presses its button, whose events the list handles. A sold-out dish is dimmed
 * and says so in text. A menu has hundreds of dishes, so each element counts on a slow phone.
 */
export const MenuItem = memo(function MenuItem({ item, isPopular, inCart }: MenuItemProps) {
  const { words, money } = useSpeech();
  const { plu, name, price, photoId, isSoldOut } = item;
  return (
    <li className={isSoldOut ? 'menu-item text-muted' : 'menu-item'}>
      <h3 className="font-medium tracking-[-0.01em] wrap-anywhere">{name}</h3>
      <ItemFacts item={item} />
      <p className="price">
        {money(price)}
        {isPopular ? <span className="popular">{words.popular}</span> : null}
        {isSoldOut ? <span className="sold-out">{words.soldOut}</span> : null}
        {inCart > 0 ? <span className="in-cart">{fillText(words.inCart, { count: inCart })}</span> : null}
      </p>
      {photoId ? (
        // biome-ignore lint/performance/noImgElement: it is sized already, and next/image is not for so small a page
        <img
          src={`/photos/${photoId}/160`}
          alt=""
          width={160}
          height={160}
          loading="lazy"
          decoding="async"
          className={isSoldOut ? 'menu-photo opacity-50 grayscale' : 'menu-photo'}
        />
      ) : null}
      {isSoldOut ? null : (
        <button
          type="button"
          className={photoId ? 'choose-button choose-on-photo' : 'choose-button'}
          aria-label={fillText(words.choose, { name, price: money(price) })}
          value={plu}
        >
          +
        </button>
      )}
    </li>
  );
});
