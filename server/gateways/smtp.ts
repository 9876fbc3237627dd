/** Sends mail over SMTP: plain text, and the same as HTML with a button. */
import { createTransport } from 'nodemailer';
import type { Mailer } from '@/server/domain/mail';
import type { Delivery } from '@/server/domain/messaging';
import { webhookDeliveries } from '@/server/observe/metrics';
import { type PrintedLetter, printLetter } from './letters';

const timeoutMs = 10_000;

interface SmtpSettings {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
  PUBLIC_ORIGIN: string;
}

export function createSmtpMailer({ SMTP_URL, MAIL_FROM, PUBLIC_ORIGIN }: SmtpSettings): Mailer {
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url: SMTP_URL, ...timeouts }, { from: MAIL_FROM });
  const post: Mailer['send'] = async ({ id, recipient, letter }) => {
    const printed = printLetter(letter);
    try {
      // The id stays the same over retries, so that a mail accepted twice can be recognised.
      const messageId = `<${id}@${new URL(PUBLIC_ORIGIN).hostname}>`;
      await transport.sendMail({
        messageId,
        to: { name: '', address: recipient },
        subject: printed.subject,
        text: toText(printed),
        html: toHtml(printed),
      });
      return { outcome: 'sent', providerId: id };
    } catch (error) {
      return toDelivery(error);
    }
  };
  return {
    async send(mail) {
      const delivery = await post(mail);
      webhookDeliveries.inc({ channel: 'mail', outcome: delivery.outcome });
      return delivery;
    },
  };
}

/** Keeps only codes: a server's message could quote the mail. */
function toDelivery(error: unknown): Delivery<string> {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  const isForGood = code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500;
  return { outcome: isForGood ? 'refused' : 'retry', reason: responseCode ? `SMTP ${responseCode}` : (code ?? 'SMTP') };
}

const toText = ({ lines, link }: PrintedLetter) => [...lines, `${link.label}: ${link.url}`].join('\n\n');

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] as string);

function toHtml({ lines, link }: PrintedLetter): string {
  const paragraphs = lines.map((line) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`).join('');
  const button =
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#1d1d1b;color:#fff;text-decoration:none';
  return `<div style="max-width:520px;margin:24px auto;font:16px/1.5 system-ui,sans-serif;color:#1d1d1b">${paragraphs}
<p style="margin:24px 0"><a href="${escapeHtml(link.url)}" style="${button}">${escapeHtml(link.label)}</a></p></div>`;
}
