import type { inferRouterOutputs } from '@trpc/server';
import type { StaffRouter } from '@/server/trpc/staff/router';

export type FloorTable = inferRouterOutputs<StaffRouter>['tables']['list']['tables'][number];

export interface Area {
  /** Empty for tables without an area. */
  name: string;
  tables: FloorTable[];
}

/** The page that prints cards: of tables, or of an area. */
export const printLink = (store: string, what: { table: string } | { area: string }) =>
  `/tables/print?${new URLSearchParams({ store, ...what })}`;

/** Groups tables that are already sorted by area. */
export function areasOf(tables: FloorTable[]): Area[] {
  const areas: Area[] = [];
  for (const table of tables) {
    const last = areas.at(-1);
    if (last?.name === table.area) last.tables.push(table);
    else areas.push({ name: table.area, tables: [table] });
  }
  return areas;
}
