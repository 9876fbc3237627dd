import { type Allergen, allergens } from '@/db/kinds/lists';

const european = allergens.slice(0, 14);

const byCountry: Partial<Record<string, readonly Allergen[]>> = {
  US: ['milk', 'eggs', 'fish', 'crustaceans', 'nuts', 'peanuts', 'wheat', 'soya', 'sesame'],
  JP: [
    // Mandatory.
    ...(['shrimp', 'crab', 'walnut', 'wheat', 'buckwheat', 'eggs', 'milk', 'peanuts'] as const),
    // Recommended.
    ...(['almond', 'abalone', 'squid', 'roe', 'orange', 'cashew', 'kiwi', 'beef', 'sesame', 'salmon'] as const),
    ...(['mackerel', 'soya', 'chicken', 'banana', 'pork', 'macadamia', 'peach', 'yam', 'apple', 'gelatin'] as const),
  ],
};

/**
 * Returns the allergens that a country's law lists (ISO 3166), in its order: for Japan the eight mandatory and twenty
 * recommended ones, for the United States nine, and elsewhere the European Union's fourteen.
 */
export const allergensOf = (country: string): readonly Allergen[] => byCountry[country] ?? european;
