/** A PIN is known to the customer and to WhatsApp: a whole run is searched for it. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { codesOf, type Reaction } from '@/e2e/fixtures/fake-whatsapp';
import { newTransactionId } from '../harness';
import {
  briefTimeoutMs,
  createRecipient,
  dumpDatabase,
  forgetPin,
  type Recipient,
  startWhatsappStage,
  untilIdle,
  type WhatsappStage,
} from './whatsapp-stage';

let stage: WhatsappStage;
const printed: string[] = [];

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    vi.spyOn(stream, 'write').mockImplementation((...args: unknown[]) => {
      printed.push(String(args[0]));
      return (write as (...given: unknown[]) => boolean)(...args);
    });
  }
  stage = await startWhatsappStage();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await stage.stop();
});

/** What holds four digits for reasons of its own: ids, times, addresses, numbers, the ends of phones, the factory’s names, bytes, digests, the process and its machine. */
const innocent = [
  /\\\\x[0-9a-f]*/g,
  /\b[0-9a-f]{64}\b/g,
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*/g,
  /guest\d+\.\d+@example\.com/g,
  /(given|person)\d+/g,
  /t-\d+-\d+-\d+/g,
  /wamid\.[\d.]+/g,
  /\+\d\d•+\d{4}\b/g,
  /"pid":\d+/g,
  /"hostname":"[^"]*"/g,
];

/** Where `text` holds `pin`: as digits that stand alone, or in bytes. */
function findings(text: string, pin: string): string[] {
  const hex = Buffer.from(pin).toString('hex');
  const inBytes = [...text.matchAll(/\\\\x([0-9a-f]*)/g)].filter(([, bytes = '']) => {
    for (let at = bytes.indexOf(hex); at >= 0; at = bytes.indexOf(hex, at + 1)) if (at % 2 === 0) return true;
    return false;
  });
  const plain = innocent.reduce((rest, pattern) => rest.replace(pattern, '…'), text);
  const alone = plain.matchAll(new RegExp(`(?<!\\d)${pin}(?!\\d)`, 'g'));
  return [
    ...inBytes.map(([all]) => all),
    ...[...alone].map(({ index }) => plain.slice(Math.max(0, index - 60), index + 60)),
  ];
}

test('the search would find it', () => {
  const id = '01a1f992-4831-755e-8831-1cb010b24831';
  for (const text of [
    '"pin":"4831"',
    'code 4831.',
    `${id} 4831`,
    '{"secret": "\\\\xff34383331"}',
    '(4831',
    '+65••••0007 4831',
  ]) {
    expect(findings(text, '4831'), text).toHaveLength(1);
  }
  for (const text of [
    id,
    '"148310"',
    '"2026-11-20T14:48:31.4831Z"',
    '"\\\\x4831"',
    '"\\\\x0343833310"',
    `"${'ab4831cd'.repeat(8)}"`,
    '"phone":"+65••••4831"',
    '',
  ]) {
    expect(findings(text, '4831'), text).toEqual([]);
  }
});

test('no log line, row, response or error contains a PIN, whatever WhatsApp responds', async () => {
  const reactions: Reaction[][] = [[], [500, 429, 'silence'], ['hang up'], ['nonsense'], [400], [401], [500, 400]];
  // A setting of 1000, say, is no PIN.
  const before = await dumpDatabase(stage);
  const recipients: Recipient[] = [];
  for (const plan of reactions) {
    const recipient = await createRecipient(stage, '0000');
    stage.whatsapp.plan(recipient.number, ...plan);
    await forgetPin(stage, recipient);
    recipients.push(recipient);
  }
  const queued = await dumpDatabase(stage);
  const worker = await stage.startWorker(briefTimeoutMs);
  await untilIdle(stage);
  for (const { id, number } of recipients) {
    const [message] = stage.whatsapp.to(number);
    const [pin = ''] = message ? codesOf(message) : [];
    // In requests that succeed, that are refused for it, and that are malformed.
    for (const given of [pin, String((Number(pin) + 1) % 10_000).padStart(4, '0')]) {
      const body = { transactionId: newTransactionId(), customer: { customerId: id }, points: 1, pin: given };
      await stage.post('/transactions/points/redeem', body);
      await stage.post('/transactions/points/redeem', { ...body, points: 'many' });
      await stage.post('/transactions/points/redeem', { ...body, pin: `${given}!` });
    }
  }
  await worker.stop();

  const received = stage.whatsapp.received.flatMap(codesOf);
  const pins = new Set(received.filter((pin) => findings(before, pin).length === 0));
  expect(pins.size).toBeGreaterThan(4);
  const delivered = await dumpDatabase(stage);
  const places = {
    log: stage.log.join(''),
    printed: printed.join(''),
    answers: stage.answers.join('\n'),
    queued,
    delivered,
  };
  // The run was one that had much to say, errors among it.
  expect(stage.log.length).toBeGreaterThan(30);
  expect(places.log).toContain('HTTP 500, WhatsApp error 131026');
  expect(places.delivered).toContain('"state": "failed"');
  expect(queued).toContain('graphile_worker._private_jobs');
  for (const [place, text] of Object.entries(places)) {
    for (const pin of pins) expect(findings(text, pin), `a PIN in ${place}`).toEqual([]);
  }
  const [{ left }] = await stage.owner<
    [{ left: number }]
  >`select count(*)::int as left from messages where secret is not null`;
  expect(left).toBe(0);
  for (const { number } of recipients) expect(places.log).not.toContain(number.slice(2));
});
