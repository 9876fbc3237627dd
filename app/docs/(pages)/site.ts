import { hrefOfCode, siteHref } from '@/server/docs/links';
import { samplesOfShell } from '@/server/docs/samples';
import { anchorOf } from '@/server/docs/sections';
import { env } from '@/server/environment/env';

/** The deployment that samples call: this one. */
export function sampleTarget() {
  const { apiOrigin, APP_ENV } = env();
  return { origin: apiOrigin, apiKey: APP_ENV === 'production' ? 'sk_live_…' : 'sk_sandbox_…' };
}

/** How our Markdown becomes pages of this site. */
export const site = {
  anchorOf,
  hrefOf: siteHref,
  hrefOfCode: (word: string) => hrefOfCode.get(word),
  samplesOf: (shell: string) => samplesOfShell(shell, sampleTarget()),
};
