import { formatMoneyIn } from '@/server/domain/kernel/money';
import type { DaySummary, Letter } from '@/server/domain/mail';
import { translatorFor } from '@/server/intl/translator';

export interface PrintedLetter {
  subject: string;
  lines: string[];
  link: { label: string; url: string };
}

/** Formats a mail in its language. */
export function printLetter(letter: Letter): PrintedLetter {
  const { kind, language, url } = letter;
  const t = translatorFor(language);
  const texts = textsOf(letter);
  const say = (part: 'subject' | 'hello' | 'text' | 'end' | 'link') => t(`mails.${kind}.${part}`, texts);
  const figures = letter.kind === 'dailySummary' ? printFigures(language, letter) : [];
  return {
    subject: say('subject'),
    lines: [say('hello'), say('text'), ...figures, say('end')],
    link: { label: say('link'), url },
  };
}

/** Returns the values of the gaps in a mail's texts. */
function textsOf(letter: Letter): Record<string, string> {
  switch (letter.kind) {
    case 'dailySummary':
      return { merchantName: letter.merchantName, day: printDay(letter) };
    case 'newDevice': {
      const { language, name, network, at } = letter;
      const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
      const browser = letter.browser || translatorFor(language)('account.unknownBrowser');
      return { name, network, browser, time: `${time.format(new Date(at))} UTC` };
    }
    case 'invitation':
      return { merchantName: letter.merchantName, by: letter.by, role: letter.role, ...nameStores(letter) };
    case 'importUploaded':
      return { name: letter.name, merchantName: letter.merchantName, fileName: letter.fileName };
    case 'webhookDisabled': {
      const { name, merchantName, host, reason } = letter;
      return { name, merchantName, host, reason };
    }
    case 'secondFactorChanged': {
      const { name, change } = letter;
      const by = (change === 'reset' && letter.by) || '';
      const isLast = 'isLast' in letter && letter.isLast === true;
      const demandedBy = (isLast && letter.demandedBy) || [];
      const merchants = new Intl.ListFormat(letter.language).format(demandedBy);
      return {
        name,
        change,
        merchants,
        by,
        isByOwner: String(by !== ''),
        isLast: String(isLast),
        isDemanded: String(demandedBy.length > 0),
      };
    }
    default:
      return { name: letter.name };
  }
}

const nameStores = ({ language, storeNames = [] }: { language: Letter['language']; storeNames?: string[] }) => ({
  stores: new Intl.ListFormat(language).format(storeNames),
  isOfStores: String(storeNames.length > 0),
});

type Summary = Extract<Letter, { kind: 'dailySummary' }>;

const printDay = ({ locale, day }: Pick<Summary, 'locale' | 'day'>) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

const counts: (keyof DaySummary)[] = ['saleCount', 'pointsRedeemed'];

/** Prints the figures, one per line, with their names in reports. */
function printFigures(
  language: Letter['language'],
  { figures, locale, currency }: Pick<Summary, 'figures' | 'locale' | 'currency'>,
): string[] {
  const t = translatorFor(language);
  return (Object.keys(figures) as (keyof DaySummary)[]).map((figure) => {
    const value = counts.includes(figure)
      ? figures[figure].toLocaleString(locale)
      : formatMoneyIn(locale, figures[figure], currency);
    return `${t(`figures.${figure}.name`)}: ${value}`;
  });
}
