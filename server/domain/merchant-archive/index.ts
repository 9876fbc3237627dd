/** All of a merchant as one file: written for its owner or for another database, and brought in there. */

export { type Archive, exportMerchant } from './export';
export { type Imported, importMerchant } from './import';
export type { Manifest } from './manifest';
export { idsOfPeople } from './members';
export { openArchive } from './read';
