/** The audit log as its readers see it. */
import { NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { useAuditColumns } from '@/components/back-office/audit-log/audit-columns';
import type { AuditRow } from '@/components/back-office/audit-log/audit-words';
import { type OfficeFacts, OfficeProvider } from '@/components/back-office/office/office';
import { messages } from '@/components/messages/messages';
import type { Language } from '../domain/kernel/context';

function Row({ row }: { row: AuditRow }) {
  return useAuditColumns(() => {}).map(({ id, cell }) => <p key={id}>{cell(row)}</p>);
}

/** Returns the text of a row of the log, in Singapore. */
export function auditText(row: AuditRow, language: Language): string {
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale={language} timeZone="Asia/Singapore" messages={messages[language]}>
      <OfficeProvider facts={{ merchant: { currency: 'SGD' } } as OfficeFacts}>
        <Row row={row} />
      </OfficeProvider>
    </NextIntlClientProvider>,
  );
  const plain = html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'");
  return plain.replace(/\s+/g, ' ').trim();
}
