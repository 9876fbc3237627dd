import type { Voucher } from '@/server/domain/kernel/voucher';
import { isForItems, isPercentage } from '@/server/domain/kernel/voucher-units';
import { fillText, formFor } from '../words';
import type { Speech } from './speech';

/** With more, they would fill a phone's screen. */
const maxNames = 4;

/** The discount with the names of its items, by PLU, and its conditions. */
export function voucherTerms(voucher: Voucher, itemNames: Record<string, string>, speech: Speech): string[] {
  const { words, language, money, count } = speech;
  const { unit, value, plus, minSpend, maxDiscount, maxUnits } = voucher;
  const items = namesOf(plus, itemNames, speech);
  const isFree = isForItems(unit) && isPercentage(unit) && value === 100;
  const shownValue = isPercentage(unit) ? `${count(value)}%` : money(value);
  const terms = [fillText(isFree ? words.itemFree : words[unit], { value: shownValue, items })];
  if (isForItems(unit))
    terms.push(fillText(formFor(words.itemsAtMost, maxUnits, language), { count: count(maxUnits) }));
  if (minSpend > 0) terms.push(fillText(words.minimumSpend, { amount: money(minSpend) }));
  if (maxDiscount !== null) terms.push(fillText(words.atMost, { amount: money(maxDiscount) }));
  return terms;
}

/** Items that are no longer on the menu have no name, and are left out. */
function namesOf(plus: string[], itemNames: Record<string, string>, { words, language }: Speech): string {
  const names = [...new Set(plus.flatMap((plu) => itemNames[plu] ?? []))];
  if (names.length === 0) return words.selectedItems;
  const isComplete = names.length === plus.length && names.length <= maxNames;
  const shown = isComplete ? names : [...names.slice(0, maxNames - 1), words.otherItems];
  return new Intl.ListFormat(language, { type: 'disjunction' }).format(shown);
}
