import journal from '../migrations/meta/_journal.json' with { type: 'json' };

/** How connections call themselves (`application_name`): `loyalty 0019`, with the newest migration of their release. */
export const connectionName = (program: 'loyalty' | 'loyalty-worker'): string =>
  `${program} ${(journal.entries.at(-1)?.tag ?? '').slice(0, 4)}`;
