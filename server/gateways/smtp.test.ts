/** Mails over a real connection, from the job that sends one to its arrival, and what is kept of it. */
import { sql } from 'drizzle-orm';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { type FakeSmtp, startFakeSmtp } from '@/e2e/fixtures/fake-smtp';
import { passwordResetTask, requestPasswordReset } from '../domain/access/password-reset';
import type { Services } from '../domain/kernel/context';
import { deliverMail, type Mailer } from '../domain/mail/deliver';
import { queueMail } from '../domain/mail/queue';
import { startWorker } from '../jobs/worker';
import { createLogger } from '../observe/log';
import { readEnv } from '../process/env';
import { testSecret, testServices } from '../testing/factory';
import { createPerson, newBrowser } from '../testing/people';
import { createSmtpMailer } from './smtp';

const database = ownDatabase();
let smtp: FakeSmtp;
let services: Services;
let mailer: Mailer;

const settings = () =>
  readEnv({
    APP_ENV: 'sandbox',
    DATABASE_URL: database.url,
    AUTH_SECRET: testSecret,
    DATA_SECRET: testSecret,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Tableside <hello@tableside.example>',
  });

beforeAll(async () => {
  smtp = await startFakeSmtp();
  services = { ...testServices(database.db), mailer: 'smtp' };
  mailer = createSmtpMailer(settings());
});
afterAll(() => smtp.stop());

const letter = {
  kind: 'passwordReset',
  language: 'en',
  name: '<b>Ann & Ben</b>',
  url: 'http://localhost:3000/reset-password/abc',
} as const;
const stateOf = async (mailId: string) =>
  (await database.owner`select state, failure, letter is null as is_erased from mails where id = ${mailId}`)[0];

let serial = 0;
async function queue(given: Parameters<typeof queueMail>[2]['letter'] = letter) {
  const recipient = `reader-${++serial}@example.com`;
  return { recipient, mailId: await queueMail(services.db.pool, services, { recipient, letter: given }) };
}

/** Decodes a mail's text parts, which are sent as bytes, or in base64 if most characters are not Latin. */
function decode(text: string): string {
  return text
    .replace(/(?<=Encoding: base64\n\n)[\w+/=\n]+/g, (lines) => `${Buffer.from(lines, 'base64')}\n`)
    .replace(/=\n/g, '')
    .replace(/((?:=[0-9A-F]{2})+)/g, (bytes) => decodeURIComponent(bytes.replaceAll('=', '%')));
}

test('a mail arrives as text and as HTML, names are escaped, and its content is erased', async () => {
  const { mailId, recipient } = await queue();
  await deliverMail(services, mailer, { mailId, isLastAttempt: false });
  const [mail] = smtp.received.filter(({ to }) => to === recipient);
  const text = decode(mail?.text ?? '');
  expect(text).toContain('From: Tableside <hello@tableside.example>');
  expect(text).toContain('Choose a new password: http://localhost:3000/reset-password/abc');
  expect(text).toContain('Hello <b>Ann & Ben</b>,');
  expect(text).toContain('Hello &lt;b&gt;Ann &amp; Ben&lt;/b&gt;,');
  expect(text).toContain('href="http://localhost:3000/reset-password/abc"');
  expect(text).toContain(`Message-ID: <${mailId}@localhost>`);
  expect(await stateOf(mailId)).toEqual({ state: 'sent', failure: null, is_erased: true });
  await deliverMail(services, mailer, { mailId, isLastAttempt: false });
  expect(smtp.received.filter(({ to }) => to === recipient)).toHaveLength(1);
});

test('a mail is decoded alike, however much of it is Latin', async () => {
  for (const url of [`${letter.url}/${'1'.repeat(43)}`, `${letter.url}/${'a'.repeat(143)}`]) {
    const { mailId, recipient } = await queue({ ...letter, language: 'zh', name: '安', url });
    await deliverMail(services, mailer, { mailId, isLastAttempt: false });
    const text = smtp.received.find(({ to }) => to === recipient)?.text ?? '';
    expect(text).toContain(`Encoding: ${url.includes('1') ? 'base64' : 'quoted-printable'}`);
    expect(decode(text)).toContain(`${url}\n`);
  }
});

test('the mail library lets no text begin a header of its own (GHSA-268h-hp4c-crq3)', async () => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const unsubscribe = { url: 'https://example.com', comment: 'stop\r\nBcc: eve@example.com' };
  const { message } = await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', list: { unsubscribe } });
  expect(String(message)).toContain('List-Unsubscribe');
  expect(String(message)).not.toMatch(/^Bcc:/m);
});

test('an unknown address is given up at once, with the reason and without the content', async () => {
  const { mailId, recipient } = await queue();
  smtp.plan(recipient, `550 no such user ${recipient}`);
  await deliverMail(services, mailer, { mailId, isLastAttempt: false });
  expect(await stateOf(mailId)).toEqual({ state: 'failed', failure: 'SMTP 550', is_erased: true });
});

test('a server that is busy or down is retried, until the last attempt', async () => {
  const { mailId, recipient } = await queue();
  smtp.plan(recipient, '451 try later');
  await expect(deliverMail(services, mailer, { mailId, isLastAttempt: false })).rejects.toThrow('SMTP 451');
  expect(await stateOf(mailId)).toEqual({ state: 'queued', failure: 'SMTP 451', is_erased: false });
  const away = createSmtpMailer({ ...settings(), SMTP_URL: 'smtp://127.0.0.1:1' });
  await expect(deliverMail(services, away, { mailId, isLastAttempt: false })).rejects.toThrow('ESOCKET');
  await deliverMail(services, away, { mailId, isLastAttempt: true });
  expect(await stateOf(mailId)).toMatchObject({ state: 'failed', is_erased: true });
});

test('the worker mails a link to a person who requests a new password', async () => {
  const { email } = await createPerson(database.owner);
  const worker = await startWorker(services, settings(), createLogger('silent'));
  try {
    await requestPasswordReset(services, newBrowser(), { email, language: 'zh' });
    const arrived = () => smtp.received.find(({ to }) => to === email);
    await expect.poll(arrived, { timeout: 10_000, interval: 50 }).toBeTruthy();
    expect(decode(arrived()?.text ?? '')).toMatch(/http:\/\/localhost:3000\/reset-password\/[\w-]{43}\n/);
    // As queued by an earlier release.
    const before = await createPerson(database.owner);
    const payload = JSON.stringify({ email: before.email, language: 'en' });
    await services.db.pool.run(sql`select graphile_worker.add_job(${passwordResetTask}, ${payload}::text::json)`);
    const isMailed = () => smtp.received.some(({ to }) => to === before.email);
    await expect.poll(isMailed, { timeout: 10_000, interval: 50 }).toBe(true);
  } finally {
    await worker.stop();
  }
});
