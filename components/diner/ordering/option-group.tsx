import type { OptionGroupOnOffer, OptionOnOffer } from '@/server/domain/qr-ordering';
import { fillText, type TableWords } from '../words';
import { missingOf } from './cart/check-cart';
import { useSpeech } from './table-context';

interface OptionGroupProps {
  group: OptionGroupOnOffer;
  chosen: readonly string[];
  onChoose: (optionIds: string[]) => void;
  /** True to show what is still missing. */
  isChecked: boolean;
}

/** Describes how many options to choose. */
function ruleOf({ minimum, maximum, options }: OptionGroupOnOffer, words: TableWords): string {
  const most = Math.min(maximum, options.length);
  if (minimum === 0) return most === 1 ? words.optional : fillText(words.chooseUpTo, { maximum: most });
  if (minimum === most) return most === 1 ? words.chooseOne : fillText(words.chooseExactly, { count: most });
  return most === options.length
    ? fillText(words.chooseAtLeast, { minimum })
    : fillText(words.chooseBetween, { minimum, maximum: most });
}

function problemOf(group: OptionGroupOnOffer, chosen: readonly string[], words: TableWords): string {
  const missing = missingOf(group, chosen);
  if (missing < 0) return fillText(words.tooMany, { maximum: group.maximum });
  const text = group.minimum === 1 ? words.oneMissing : words.stillToChoose;
  return missing > 0 ? fillText(text, { count: missing }) : '';
}

/** A modifier group of an item: choose one or several. */
export function OptionGroup({ group, chosen, onChoose, isChecked }: OptionGroupProps) {
  const { words } = useSpeech();
  const { id, name, minimum, maximum, options } = group;
  const isSingle = maximum === 1;
  const others = chosen.filter((one) => !options.some((option) => option.id === one));
  const choose = (optionId: string | null, isChosen: boolean) => {
    const own = isSingle ? [] : chosen.filter((one) => !others.includes(one) && one !== optionId);
    onChoose([...others, ...own, ...(optionId && isChosen ? [optionId] : [])]);
  };
  const problem = problemOf(group, chosen, words);
  const isShown = problem !== '' && (isChecked || missingOf(group, chosen) < 0);
  return (
    <fieldset
      aria-describedby={`${id}-rule`}
      className="min-w-0 border-t border-line pt-4"
      data-wrong={problem ? '' : undefined}
    >
      <legend className="float-left w-full font-semibold tracking-[-0.01em] wrap-anywhere">{name}</legend>
      <p id={`${id}-rule`} className="clear-both text-sm text-muted">
        {minimum > 0 ? `${ruleOf(group, words)} · ${words.required}` : ruleOf(group, words)}
      </p>
      <p role="alert" className="text-sm font-medium text-danger">
        {isShown ? problem : null}
      </p>
      <div className="mt-1 -mb-2">
        {isSingle && minimum === 0 ? (
          <label className="option">
            <input
              type="radio"
              name={id}
              checked={chosen.length === others.length}
              onChange={() => choose(null, true)}
            />
            <span className="grow">{words.none}</span>
          </label>
        ) : null}
        {options.map((option) => (
          <Option
            key={option.id}
            option={option}
            groupId={id}
            isSingle={isSingle}
            isChosen={chosen.includes(option.id)}
            onChoose={choose}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface OptionProps {
  option: OptionOnOffer;
  groupId: string;
  isSingle: boolean;
  isChosen: boolean;
  onChoose: (optionId: string, isChosen: boolean) => void;
}

function Option({
  option: { id, name, price, allergens, isSoldOut },
  groupId,
  isSingle,
  isChosen,
  onChoose,
}: OptionProps) {
  const { words, money } = useSpeech();
  return (
    <label className="option">
      <input
        type={isSingle ? 'radio' : 'checkbox'}
        name={groupId}
        checked={isChosen}
        disabled={isSoldOut}
        onChange={({ target }) => onChoose(id, target.checked)}
      />
      <span className="grow wrap-anywhere">
        {name}
        {allergens.length > 0 ? (
          <span className="block text-sm/5 text-muted">{allergens.map((one) => words[one]).join(words.comma)}</span>
        ) : null}
      </span>
      {isSoldOut ? <span className="sold-out">{words.soldOut}</span> : null}
      {price === 0 || isSoldOut ? null : (
        <span className="shrink-0 text-muted tabular-nums">
          {fillText(price > 0 ? words.plus : words.minus, { price: money(Math.abs(price)) })}
        </span>
      )}
    </label>
  );
}
