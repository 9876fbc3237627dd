/** A merchant as one file: exported for its owner or for another database, and imported there. */

export { type Archive, exportMerchant } from './export';
export { type Imported, importMerchant } from './import';
export { endCheckouts, markLeft, takeBack } from './leave';
export type { Manifest } from './manifest';
export { idsOfPeople } from './members';
export { openArchive } from './read';
export { fingerprintOf, publicKeyText } from './signature';
