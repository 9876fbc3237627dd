import { useTranslations } from 'next-intl';
import { cardWordsFor } from '@/components/diner/ordering/card-words';
import { useOffice } from '../office/office';
import { isNumber, usePlace } from '../office/place';
import type { CardSize } from './card-size';
import { CodeImage } from './code-image';
import './table-cards.css';

const perSheet = { a6: 1, a4x4: 4, a4x8: 8 };

/** A card with the code of a table, or of a bill that has no table. */
interface PrintedCard {
  id: string;
  table: string | null;
  billId: string;
  imageSvg: string;
}

interface CardSheetsProps {
  cards: PrintedCard[];
  storeName: string;
  size: CardSize;
  /** What guests can do after scanning it. */
  purpose: 'order' | 'menu';
}

/** The cards laid out on sheets, in the language of the merchant's diners. */
export function CardSheets({ cards, storeName, size, purpose }: CardSheetsProps) {
  const t = useTranslations('qrCodes');
  const sheets = [];
  for (let at = 0; at < cards.length; at += perSheet[size]) sheets.push(cards.slice(at, at + perSheet[size]));
  return (
    <div className="flex flex-col items-center gap-6 print:block">
      {sheets.map((sheet, at) => (
        <section
          key={sheet[0]?.id}
          aria-label={t('sheetOf', { number: at + 1 })}
          className={`cards-sheet cards-${size} shadow-lg print:shadow-none`}
        >
          {sheet.map((card) => (
            <Card key={card.id} card={card} storeName={storeName} purpose={purpose} />
          ))}
        </section>
      ))}
    </div>
  );
}

function Card({ card, storeName, purpose }: { card: PrintedCard } & Pick<CardSheetsProps, 'storeName' | 'purpose'>) {
  const t = useTranslations('qrCodes');
  const { merchant } = useOffice();
  const place = usePlace();
  const words = cardWordsFor(merchant.locale);
  const { table } = card;
  const name = table === null ? card.billId : isNumber(table) ? `${words.table} ${table}` : table;
  return (
    <article className="table-card" lang={merchant.locale}>
      <div className="table-card-body">
        <div className="table-card-head">
          <p className="table-card-store">
            {storeName.startsWith(merchant.name) ? storeName : `${merchant.name} · ${storeName}`}
          </p>
          <h2 className="table-card-table">{name}</h2>
        </div>
        <CodeImage svg={card.imageSvg} alt={t('codeOf', { place: place(card) })} className="table-card-code" />
        <div className="table-card-foot">
          <p className="table-card-title">{purpose === 'menu' ? words.scanForMenu : words.scanToOrder}</p>
          <p className="table-card-help">{words.scanHelp}</p>
        </div>
      </div>
    </article>
  );
}
