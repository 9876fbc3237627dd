/** The rotation of `DATA_SECRET`: what the database holds under one key is encrypted with another. */

export { reseal } from './reseal';
