import { FilterSheet } from './filter-sheet';
import { applyFilter, findSimilar } from './finder';

/** The part of the page that filters, and finds similar words. */
export const finder = { applyFilter, findSimilar, FilterSheet };
export type Finder = typeof finder;
