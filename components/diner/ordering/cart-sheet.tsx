import { Suspense, useEffect, useRef } from 'react';
import type { Order } from '@/server/domain/qr-ordering';
import type { DinerClient } from '../diner-client';
import { fillText } from '../words';
import { type Cart, type CartAction, cartLimits } from './cart/cart';
import type { CheckedCart, CheckedLine } from './cart/check-cart';
import { CartLines } from './cart-lines';
import { maxGuestName, useGuestName } from './guest';
import { CartBenefits, OrderList } from './lazy-parts';
import { Sheet } from './sheet';
import { Price, useSpeech } from './table-context';
import type { DeliveryState } from './use-cart';
import type { Member } from './use-member';
import type { OutcomeText } from './use-said';

interface CartSheetProps {
  client: DinerClient;
  merchantId: string;
  /** The signed-in customer; null if signed out. */
  member: Member | null;
  cart: Cart;
  checked: CheckedCart;
  orders: readonly Order[];
  /** The outcome of the last order. */
  outcome: OutcomeText | null;
  /** Names dishes of the cart that are available again. */
  returned: string;
  /** The text of any other news, such as an order's new state. */
  news: string;
  /** A warning about the connection. */
  warning: string | null;
  isOffline: boolean;
  /** True if the orders were fetched after the pending one was held. */
  isCurrent: boolean;
  /** About how long an order takes now, in minutes; null if unknown. */
  waitMinutes: number | null;
  delivery: DeliveryState;
  onChange: (action: CartAction) => void;
  onEdit: (line: CheckedLine) => void;
  onOrder: () => void;
  onWithdraw: (clientOrderId: string) => void;
  /** Opens the table's bill; null without one. */
  onBill: (() => void) | null;
  onClose: () => void;
}

/** The cart, and below it the orders so far. */
export function CartSheet(props: CartSheetProps) {
  const { words } = useSpeech();
  const { cart, checked, orders, outcome, returned, news, warning, onChange, onEdit, onBill, onClose } = props;
  const isEmpty = checked.lines.length === 0;
  const outcomeText = useRef<HTMLParagraphElement>(null);
  // The pressed button may be gone, so the focus is moved.
  useEffect(() => {
    if (outcome) outcomeText.current?.focus();
  }, [outcome]);
  return (
    <Sheet
      title={isEmpty && orders.length > 0 ? words.orders : words.cart}
      warning={warning}
      onClose={onClose}
      footer={<Footer {...props} />}
    >
      <div className="space-y-6 px-5 pt-2 pb-6 sm:px-6">
        <p
          ref={outcomeText}
          tabIndex={-1}
          role="status"
          className={outcome ? (outcome.isGood ? 'notice-good' : 'notice-caution') : 'sr-only'}
        >
          {outcome?.text}
        </p>
        <p role="status" className={returned ? 'notice-caution' : 'sr-only'}>
          {returned}
        </p>
        <p role="status" className="sr-only">
          {news === outcome?.text || news === returned ? '' : news}
        </p>
        <Pending {...props} />
        {isEmpty && orders.length === 0 && !cart.pending ? <p className="text-muted">{words.cartEmpty}</p> : null}
        {isEmpty ? null : (
          <>
            <CartLines checked={checked} onChange={onChange} onEdit={onEdit} />
            <label className="block">
              <span className="font-semibold tracking-[-0.01em]">{words.orderNote}</span>
              <span className="block text-sm text-muted">{words.orderNoteHint}</span>
              <textarea
                value={cart.note}
                onChange={({ target }) => onChange({ type: 'setNote', note: target.value })}
                maxLength={cartLimits.note}
                rows={2}
                className="text-box mt-2"
              />
            </label>
            <GuestName />
            <Loyalty {...props} />
          </>
        )}
        {orders.length > 0 ? (
          <section id="ordered" aria-labelledby={isEmpty ? undefined : 'ordered-title'}>
            {isEmpty ? null : (
              <h3 id="ordered-title" className="border-t border-line pt-6 text-lg font-semibold tracking-[-0.02em]">
                {words.orders}
              </h3>
            )}
            <Suspense>
              <OrderList orders={orders} onBill={onBill} />
            </Suspense>
          </section>
        ) : null}
      </div>
    </Sheet>
  );
}

/** What the order brings a customer, or a link to become one. */
function Loyalty({ client, member, checked, merchantId }: CartSheetProps) {
  const { words } = useSpeech();
  if (!member) {
    return (
      <a href={`/loyalty/${merchantId}`} className="text-button">
        {words.signInToEarn}
      </a>
    );
  }
  return (
    <Suspense>
      <CartBenefits client={client} checked={checked} />
    </Suspense>
  );
}

/** The diner's name, so that others at the table and the kitchen know whose order it is. */
function GuestName() {
  const { words } = useSpeech();
  const [name, save] = useGuestName();
  return (
    <label className="block">
      <span className="font-semibold tracking-[-0.01em]">{words.guestName}</span>
      <span className="block text-sm text-muted">{words.guestNameHint}</span>
      <input
        value={name}
        onChange={({ target }) => save(target.value)}
        maxLength={maxGuestName}
        autoComplete="given-name"
        className="text-box mt-2"
      />
    </label>
  );
}

const deliveryTexts = {
  waiting: 'waitingForNetwork',
  sending: 'sendingOrder',
  silent: 'stillSending',
  held: 'orderHeld',
} as const;

/**
 * The pending order. If it was sent and is held, it may have arrived. The diner is asked only once the table's orders
 * are current and do not include it.
 */
function Pending({ cart: { pending }, isOffline, isCurrent, delivery, onChange, onWithdraw }: CartSheetProps) {
  const { words } = useSpeech();
  if (!pending) return null;
  const { clientOrderId, lines } = pending;
  const isWaiting = delivery === 'waiting';
  const isHeld = delivery === 'held';
  const isAsked = isHeld && !isOffline && (isCurrent || pending.isUnsent);
  return (
    <div className={isWaiting || isHeld ? 'notice-caution' : 'rounded-xl border border-line bg-tint p-4'}>
      <p role="status" className="font-medium">
        {isHeld && !isAsked ? words.heldForNetwork : words[deliveryTexts[delivery]]}
      </p>
      <ul className="mt-2 text-[0.9375rem]/6">
        {lines.map(({ quantity, name, optionNames }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what is frozen never changes
          <li key={at} className="wrap-anywhere">
            {quantity} × {[name, ...optionNames].join(', ')}
          </li>
        ))}
      </ul>
      {isAsked || isWaiting ? (
        <div className="mt-3 flex flex-wrap gap-3">
          {isAsked ? (
            <button
              type="button"
              className="primary-button"
              onClick={() => onChange({ type: 'askAgain', clientOrderId, askedAt: Date.now() })}
            >
              {words.sendNow}
            </button>
          ) : null}
          <button type="button" className="quiet-button" onClick={() => onWithdraw(clientOrderId)}>
            {words.doNotSend}
          </button>
        </div>
      ) : null}
    </div>
  );
}

function Footer({ cart, checked, waitMinutes, onChange, onOrder }: CartSheetProps) {
  const { words, priceNote } = useSpeech();
  const { ready, changed, total } = checked;
  if (ready.length === 0) return null;
  const agree = () =>
    onChange({ type: 'agree', unitPrices: Object.fromEntries(changed.map(({ key, unitPrice }) => [key, unitPrice])) });
  return (
    <div className="sheet-footer flex-wrap">
      {changed.length > 0 ? <p className="w-full text-sm font-medium text-caution">{words.priceConfirm}</p> : null}
      <p className="w-full text-sm text-muted">{priceNote.text}</p>
      {waitMinutes === null ? null : (
        <p className="w-full text-sm text-muted">{fillText(words.waitNow, { minutes: waitMinutes })}</p>
      )}
      <button
        type="button"
        className="primary-button grow"
        data-accepts={changed.length > 0 || undefined}
        aria-disabled={cart.pending !== null || undefined}
        onClick={changed.length > 0 ? agree : onOrder}
      >
        <span>{changed.length > 0 ? words.acceptPrices : words.placeOrder}</span>
        <Price amount={total} className="tabular-nums" />
      </button>
    </div>
  );
}
