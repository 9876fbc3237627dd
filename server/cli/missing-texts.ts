/**
 * Lists texts without a translation, which readers of that language see in English. Part of `npm run check`. With
 * `--refuse`, as in `npm run package`, the command fails if there are any.
 */
import { listMissingTexts } from '../intl/text-files';
import { readOptions, run } from './run';

run(async () => {
  const { refuse } = readOptions({ refuse: { type: 'boolean' } });
  const missing = listMissingTexts();
  if (missing.length === 0) return;
  process.stdout.write(`Not translated, so a release can't be made (${missing.length}):\n  ${missing.join('\n  ')}\n`);
  process.exitCode = refuse ? 1 : 0;
});
