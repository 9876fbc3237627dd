import { afterAll, beforeAll, inject } from 'vitest';
import { cloneDatabase, type OpenDatabase, openSharedDatabase, type TestDatabase } from './clone';

export type { TestDatabase };

/**
 * The database that one worker's test files use in turn, each with its own merchants. It is open within tests and hooks of
 * the file, or of the `describe`, that calls this.
 */
export const sharedDatabase = (): TestDatabase => openForTests(openSharedDatabase);

/** A migrated, empty database for these tests alone: for tests that look at all merchants or break things. */
export const ownDatabase = (): TestDatabase => openForTests(cloneDatabase);

function openForTests(open: (adminUrl: string) => Promise<OpenDatabase>): TestDatabase {
  let opened: OpenDatabase | undefined;
  beforeAll(async () => {
    opened = await open(inject('adminUrl'));
  });
  afterAll(() => opened?.drop());
  const current = () => {
    if (!opened) throw new Error('a database of tests is open within tests and hooks only');
    return opened;
  };
  return {
    get db() {
      return current().db;
    },
    get owner() {
      return current().owner;
    },
    get url() {
      return current().url;
    },
  };
}
