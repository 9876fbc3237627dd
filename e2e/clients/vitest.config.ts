/** `npm run proof:clients` installs generators, and `proof:samples` needs other languages: neither is part of `npm test`. */
import { mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  { test: { include: ['e2e/{clients,spreadsheets}/*.proof.ts'] } },
);
