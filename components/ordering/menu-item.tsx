import { classNames } from '../ui/class-names';

export interface MenuItemProps {
  name: string;
  description: string;
  /** As the diner reads it. */
  price: string;
  isSoldOut: boolean;
}

/** A line of the menu. What is sold out says so in words, and steps back. */
export function MenuItem({ name, description, price, isSoldOut, soldOut }: MenuItemProps & { soldOut: string }) {
  return (
    <li className="py-3">
      <div className={classNames('flex items-baseline gap-2', isSoldOut && 'text-muted')}>
        <h3 className="font-medium tracking-[-0.01em] wrap-anywhere">{name}</h3>
        <span className="leader text-edge" aria-hidden="true" />
        <p className={classNames('shrink-0 tabular-nums', !isSoldOut && 'font-medium')}>{price}</p>
      </div>
      <div className="mt-1 flex items-baseline gap-2.5 text-[0.9375rem] leading-normal text-muted">
        {isSoldOut ? (
          <p className="shrink-0 rounded-full bg-caution-tint px-2.5 py-0.5 text-sm font-medium text-caution">
            {soldOut}
          </p>
        ) : null}
        {description ? <p className="max-w-prose wrap-anywhere">{description}</p> : null}
      </div>
    </li>
  );
}
