/** The rotation of `DATA_SECRET`: re-encrypts what the database holds under the old key. */

export { resealSecrets } from './reseal';
