import { useTranslations } from 'next-intl';
import { type CSSProperties, useState } from 'react';
import { cardWordsFor } from '@/components/diner/ordering/card-words';
import { classNames } from '../../ui/class-names';
import { useOffice } from '../office/office';
import { isNumber, usePlace } from '../office/place';
import { CardLook, useCardBrand, useSecondLanguage } from './card-look';
import { type CardSize, cardSizes } from './card-size';
import { CodeImage } from './code-image';
import './table-cards.css';

/** A card with the code of a table, or of a bill that has no table. */
interface PrintedCard {
  id: string;
  table: string | null;
  billId: string;
  scan: { url: string; imageSvg: string };
}

interface CardSheetsProps {
  cards: PrintedCard[];
  storeName: string;
  size: CardSize;
  /** What guests can do after scanning it. `visit`: order, until their bill is settled. */
  purpose: 'order' | 'menu' | 'visit';
}

/** The cards laid out on sheets, in the language of the merchant's diners and, if chosen, another one. */
export function CardSheets({ cards, storeName, size, purpose }: CardSheetsProps) {
  const t = useTranslations('qrCodes');
  const [second, setSecond] = useSecondLanguage();
  const [note, setNote] = useState('');
  const brand = useCardBrand();
  const { perSheet } = cardSizes[size];
  const sheets = [];
  for (let at = 0; at < cards.length; at += perSheet) sheets.push(cards.slice(at, at + perSheet));
  return (
    <>
      <CardLook second={second} onSecond={(chosen) => void setSecond(chosen)} note={note} onNote={setNote} />
      <div className="mt-6 flex flex-col items-center gap-6 print:mt-0 print:block" style={brand?.colours}>
        {sheets.map((sheet, at) => (
          <section
            key={sheet[0]?.id}
            aria-label={t('sheetOf', { number: at + 1 })}
            className={`cards-sheet cards-${size} shadow-lg print:shadow-none`}
          >
            {sheet.map((card) => {
              const face = { card, storeName, purpose, second, note: note.trim(), logoId: brand?.logoId ?? null };
              return (
                <article key={card.id} className="table-card">
                  {/* The far side of a folded card. */}
                  {size === 'tent' ? <Face {...face} isBack /> : null}
                  <Face {...face} />
                </article>
              );
            })}
          </section>
        ))}
      </div>
    </>
  );
}

interface FaceProps extends Pick<CardSheetsProps, 'storeName' | 'purpose'> {
  card: PrintedCard;
  second: string | null;
  note: string;
  logoId: string | null;
  /** True to turn it upside down, as it stands behind the fold. */
  isBack?: boolean;
}

const titles = { order: 'scanToOrder', visit: 'scanToOrder', menu: 'scanForMenu' } as const;

function Face({ card, storeName, purpose, second, note, logoId, isBack = false }: FaceProps) {
  const t = useTranslations('qrCodes');
  const { merchant } = useOffice();
  const place = usePlace();
  const words = cardWordsFor(merchant.locale);
  const { table, scan } = card;
  const name = table === null ? card.billId : isNumber(table) ? `${words.table} ${table}` : table;
  const store = storeName.startsWith(merchant.name) ? storeName : `${merchant.name} · ${storeName}`;
  return (
    <div
      className={classNames('table-card-face', isBack && 'table-card-back')}
      lang={merchant.locale}
      aria-hidden={isBack || undefined}
    >
      <div className="table-card-head">
        {logoId === null ? null : (
          // biome-ignore lint/performance/noImgElement: it has the size that it is printed in
          <img src={`/photos/${logoId}/640`} alt="" className="table-card-logo" />
        )}
        <div className="table-card-names">
          <p className="table-card-store">{store}</p>
          <h2 className="table-card-table" style={{ '--letters': Math.max(name.length, 8) } as CSSProperties}>
            {name}
          </h2>
        </div>
      </div>
      <div className="table-card-scan">
        <CodeImage
          svg={scan.imageSvg}
          alt={isBack ? '' : t('codeOf', { place: place(card) })}
          className="table-card-code"
        />
        <p className="table-card-url">{scan.url.replace(/^https?:\/\//, '')}</p>
      </div>
      <div className="table-card-foot">
        <p className="table-card-title">{words[titles[purpose]]}</p>
        {second === null ? null : (
          <p className="table-card-second" lang={second}>
            {cardWordsFor(second)[titles[purpose]]}
          </p>
        )}
        <p className="table-card-help">{note || words.scanHelp}</p>
        {purpose === 'visit' ? <p className="table-card-visit">{words.thisVisit}</p> : null}
      </div>
    </div>
  );
}
