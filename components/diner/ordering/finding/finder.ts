/** Finds dishes by diet, by allergen, and by words with typing mistakes. Loaded when it is first needed. */
import type { Allergen, Diet } from '@/server/domain/kernel/context';
import type { CategoryOnOffer, ItemOnOffer } from '@/server/domain/qr-ordering';

/** What a diner avoids and wants. It is kept on the phone for all restaurants. */
export interface MenuFilter {
  avoid: Allergen[];
  only: Diet[];
}

/** Reads a saved filter, or an empty one if it is invalid. */
export function parseFilter(saved: string): MenuFilter {
  try {
    const { avoid, only } = JSON.parse(saved);
    return { avoid: Array.isArray(avoid) ? avoid : [], only: Array.isArray(only) ? only : [] };
  } catch {
    return { avoid: [], only: [] };
  }
}

/** Allergens that a country's list names more narrowly than another's. */
const broader: Partial<Record<Allergen, Allergen>> = {
  wheat: 'gluten',
  shrimp: 'crustaceans',
  crab: 'crustaceans',
  walnut: 'nuts',
  almond: 'nuts',
  cashew: 'nuts',
  macadamia: 'nuts',
  abalone: 'molluscs',
  squid: 'molluscs',
  salmon: 'fish',
  mackerel: 'fish',
  roe: 'fish',
};

/** True if a dish that declares `declared` may contain `avoided`: crustaceans may be shrimp. */
const mayBe = (declared: Allergen, avoided: Allergen): boolean =>
  declared === avoided || broader[declared] === avoided || broader[avoided] === declared;

const suits = (diets: readonly Diet[], wanted: Diet): boolean =>
  diets.includes(wanted) || (wanted === 'vegetarian' && diets.includes('vegan'));

function fits({ allergens, diets, optionGroups }: ItemOnOffer, { avoid, only }: MenuFilter): boolean {
  const isFree = (declared: readonly Allergen[]) => !declared.some((one) => avoid.some((other) => mayBe(one, other)));
  // The dish stays only if enough of its required options are free of it as well.
  const canChoose = optionGroups.every(
    ({ minimum, options }) => options.filter((option) => isFree(option.allergens)).length >= minimum,
  );
  return isFree(allergens) && canChoose && only.every((diet) => suits(diets, diet));
}

function filterItems(categories: readonly CategoryOnOffer[], isShown: (item: ItemOnOffer) => boolean) {
  return categories
    .map((category) => ({ ...category, items: category.items.filter(isShown) }))
    .filter(({ items }) => items.length > 0);
}

/** Returns the dishes that match a saved filter. */
export function applyFilter(categories: readonly CategoryOnOffer[], saved: string): CategoryOnOffer[] {
  const filter = parseFilter(saved);
  return filterItems(categories, (item) => fits(item, filter));
}

/** Letters and digits only, without accents and case. */
const squash = (text: string): string[] => [
  ...text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase(),
];

/**
 * Returns the number of typing mistakes (a letter missing, added, wrong or swapped) between `wanted` and any part of
 * `text`.
 */
function distanceWithin(wanted: string[], text: string[]): number {
  let twoBefore: number[] = [];
  let before = new Array<number>(text.length + 1).fill(0);
  for (const [row, letter] of wanted.entries()) {
    const now = [row + 1];
    for (const [at, other] of text.entries()) {
      const isSwapped = row > 0 && at > 0 && letter === text[at - 1] && wanted[row - 1] === other;
      now[at + 1] = Math.min(
        (before[at + 1] ?? 0) + 1,
        (now[at] ?? 0) + 1,
        (before[at] ?? 0) + (letter === other ? 0 : 1),
        isSwapped ? (twoBefore[at - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [twoBefore, before] = [before, now];
  }
  return Math.min(...before);
}

/** Finds dishes whose name is similar to the searched one, ignoring spaces and hyphens, with one or two mistakes. */
export function findSimilar(categories: readonly CategoryOnOffer[], search: string): CategoryOnOffer[] {
  const wanted = squash(search);
  const isAscii = /^[\x20-\x7e]*$/.test(search);
  const allowed = Math.min(2, Math.floor(wanted.length / (isAscii ? 4 : 3)));
  if (wanted.length < 2) return [];
  return filterItems(categories, ({ name }) => distanceWithin(wanted, squash(name)) <= allowed);
}
