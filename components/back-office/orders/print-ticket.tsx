import { Printer } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { iconButtonLook } from '../../ui/icon-button';
import { useFormat } from '../state/format';
import type { StationOrder } from './at-station';
import { useOrderNumber } from './order-number';
import { useOrderPlace } from './order-store';
import './ticket.css';

/** Prints an order for the kitchen: at a station, its lines alone. */
export function PrintTicket({ order }: { order: StationOrder }) {
  const t = useTranslations('orders');
  const [isPrinting, setPrinting] = useState(false);
  const place = useOrderPlace()(order);
  const number = useOrderNumber()(order);
  return (
    <>
      <button
        type="button"
        className={iconButtonLook}
        aria-label={t('printTicketOf', { place, number })}
        title={t('printTicket')}
        onClick={() => setPrinting(true)}
      >
        <Printer className="size-5" aria-hidden="true" />
      </button>
      {isPrinting ? <Ticket order={order} onPrinted={() => setPrinting(false)} /> : null}
    </>
  );
}

function Ticket({ order, onPrinted }: { order: StationOrder; onPrinted: () => void }) {
  const t = useTranslations('orders');
  const { time } = useFormat();
  const place = useOrderPlace()(order);
  const number = useOrderNumber()(order);
  const { lines, note, guestName, placedAt, otherItems } = order;
  useEffect(() => {
    // Returns when the dialogue is closed. Phones print later, and say when.
    window.addEventListener('afterprint', onPrinted);
    window.print();
    return () => window.removeEventListener('afterprint', onPrinted);
  }, [onPrinted]);
  return createPortal(
    <section className="ticket" aria-hidden="true">
      <p className="ticket-place">{place}</p>
      <p className="ticket-head">
        <span>{number}</span>
        <span>{time(placedAt)}</span>
      </p>
      {guestName === null ? null : <p>{t('orderedBy', { name: guestName })}</p>}
      <ul>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an order's lines never change
          <li key={at}>
            <span>{line.quantity}×</span>
            <span>
              {line.name}
              {line.options.map(({ name }) => (
                <span key={name} className="ticket-option">
                  + {name}
                </span>
              ))}
              {line.note ? <span className="ticket-note">{line.note}</span> : null}
            </span>
          </li>
        ))}
      </ul>
      {note ? <p className="ticket-note">{note}</p> : null}
      {otherItems > 0 ? <p>{t('otherItems', { count: otherItems })}</p> : null}
    </section>,
    document.body,
  );
}
