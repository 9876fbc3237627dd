import type { Letter } from '@/server/domain/mail';
import { translatorFor } from '@/server/intl/translator';

export interface PrintedLetter {
  subject: string;
  lines: string[];
  link: { label: string; url: string };
}

/** Formats a mail in its language. */
export function printLetter({ kind, language, ...values }: Letter): PrintedLetter {
  const t = translatorFor(language);
  const say = (part: 'subject' | 'hello' | 'text' | 'end' | 'link') => t(`mails.${kind}.${part}`, values);
  return {
    subject: say('subject'),
    lines: [say('hello'), say('text'), say('end')],
    link: { label: say('link'), url: values.url },
  };
}
