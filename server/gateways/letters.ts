import { formatMoneyIn } from '@/server/domain/kernel/money';
import type { DaySummary, Letter } from '@/server/domain/mail';
import { translatorFor } from '@/server/intl/translator';

export interface PrintedLetter {
  subject: string;
  lines: string[];
  link: { label: string; url: string };
}

/** Formats a mail in its language. */
export function printLetter({ kind, language, ...values }: Letter): PrintedLetter {
  const t = translatorFor(language);
  const isSummary = 'figures' in values;
  const texts = isSummary ? { merchantName: values.merchantName, day: printDay(values) } : values;
  const say = (part: 'subject' | 'hello' | 'text' | 'end' | 'link') => t(`mails.${kind}.${part}`, texts);
  const figures = isSummary ? printFigures(language, values) : [];
  return {
    subject: say('subject'),
    lines: [say('hello'), say('text'), ...figures, say('end')],
    link: { label: say('link'), url: values.url },
  };
}

type Summary = Extract<Letter, { kind: 'dailySummary' }>;

const printDay = ({ locale, day }: Pick<Summary, 'locale' | 'day'>) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

const counts: (keyof DaySummary)[] = ['saleCount', 'pointsRedeemed'];

/** The figures under the names that reports give them, one a line. */
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
