import { fillText, type TableWords } from '../words';
import type { CartAction } from './cart/cart';
import type { CheckedCart, CheckedLine } from './cart/check-cart';
import { Stepper } from './stepper';
import { Price, useSpeech } from './table-context';

/** Names the lines that can't be ordered; empty if all can. */
export const asideText = ({ aside }: CheckedCart, words: TableWords): string =>
  aside.length > 0 ? fillText(words.soldOutInCart, { names: namesOf(aside, words) }) : '';

/** The names of lines, without duplicates. */
export const namesOf = (lines: readonly CheckedLine[], words: TableWords): string =>
  [...new Set(lines.map(({ line, item }) => item?.name ?? line.name))].join(words.comma);

interface CartLinesProps {
  checked: CheckedCart;
  onChange: (action: CartAction) => void;
  onEdit: (line: CheckedLine) => void;
}

/** The lines to be ordered, and separately those that cannot be. */
export function CartLines({ checked: { ready, aside }, onChange, onEdit }: CartLinesProps) {
  const { words } = useSpeech();
  return (
    <>
      {ready.length > 0 ? (
        <ul className="divide-y divide-line">
          {ready.map((line) => (
            <Line key={line.key} line={line} onChange={onChange} onEdit={onEdit} />
          ))}
        </ul>
      ) : null}
      {aside.length > 0 ? (
        <section aria-labelledby="aside-title" className="notice-caution">
          <h3 id="aside-title" className="font-semibold">
            {words.goneTitle}
          </h3>
          <p className="text-sm">{words.goneHelp}</p>
          <ul className="mt-2 divide-y divide-line">
            {aside.map((line) => (
              <Line key={line.key} line={line} onChange={onChange} onEdit={onEdit} />
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}

interface LineProps {
  line: CheckedLine;
  onChange: (action: CartAction) => void;
  onEdit: (line: CheckedLine) => void;
}

function Line({ line: checked, onChange, onEdit }: LineProps) {
  const { words, money } = useSpeech();
  const { key, line, item, unitPrice, state } = checked;
  const name = item?.name ?? line.name;
  const offered = item?.optionGroups.flatMap(({ options }) => options) ?? [];
  const options = line.optionIds.map(
    (id, at) => offered.find((option) => option.id === id)?.name ?? line.optionNames[at],
  );
  const isReady = state === 'fine' || state === 'price';
  const setQuantity = (quantity: number) => onChange({ type: 'setQuantity', key, quantity });
  return (
    <li className="py-3.5 first:pt-1">
      <div className="flex items-baseline justify-between gap-4">
        <p className="font-medium wrap-anywhere">{isReady ? name : `${line.quantity} × ${name}`}</p>
        {isReady ? <Price amount={unitPrice * line.quantity} className="shrink-0 tabular-nums" /> : null}
      </div>
      {options.length > 0 ? <p className="text-sm/5 text-muted wrap-anywhere">{options.join(words.comma)}</p> : null}
      {line.note ? (
        <p className="text-sm/5 text-muted wrap-anywhere">{fillText(words.noteLabel, { note: line.note })}</p>
      ) : null}
      {state === 'price' ? (
        <p className="mt-1 text-sm font-medium text-caution">
          {words.priceChanged}
          {words.colon}
          {fillText(words.priceFromTo, { before: money(line.unitPrice), after: money(unitPrice) })}
        </p>
      ) : null}
      {isReady ? null : (
        <p className="text-sm font-medium text-caution">{state === 'gone' ? words.gone : words.optionsChanged}</p>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        {isReady ? <Stepper name={name} quantity={line.quantity} min={1} onChange={setQuantity} /> : null}
        {item && state !== 'gone' ? (
          <button
            type="button"
            className="text-button"
            aria-label={fillText(words.editItem, { name })}
            onClick={() => onEdit(checked)}
          >
            {words.edit}
          </button>
        ) : null}
        <button
          type="button"
          className="text-button"
          aria-label={fillText(words.removeItem, { name })}
          onClick={({ currentTarget }) => {
            // The button disappears with its line, so the focus stays in the sheet.
            currentTarget.closest('dialog')?.querySelector('h2')?.focus();
            setQuantity(0);
          }}
        >
          {words.remove}
        </button>
      </div>
    </li>
  );
}
