/** Set-up for tests of notices. */
import type { TestDatabase } from '@/db/testing/database';
import { authenticateKey } from '@/server/domain/access/authenticate';
import type { NoticeKind } from '@/server/domain/kernel/context';
import type { Messenger } from '@/server/domain/messaging/deliver';
import type { MessageLanguage } from '@/server/domain/messaging/schemas';
import { sendNotices } from '@/server/domain/messaging/send-notices';
import { topUp } from '@/server/domain/top-ups/top-up';
import { createCampaignScene } from './campaigns';
import { createFixedPackage } from './factory';
import { callAs, createStaff } from './staff';

/** A messenger for a sandbox, which must never be called. */
export const silentMessenger: Messenger = {
  sendCode: () => Promise.reject(new Error('a code was sent')),
  sendNotice: () => Promise.reject(new Error('a notice was sent')),
};

let serial = 0;

/** Creates a merchant with every kind of notice turned off, and without quiet hours unless `quiet`. */
export async function createNoticeScene(
  database: TestDatabase,
  settings: { at?: string; time_zone?: string; quiet?: boolean } = {},
) {
  const { quiet = false, ...rest } = settings;
  const scene = await createCampaignScene(database, rest);
  const { owner } = database;
  const { merchant, services } = scene;
  if (!quiet) await owner`update merchants set quiet_from = null, quiet_until = null where id = ${merchant.id}`;
  // Each request reads the merchant again.
  const staff = () => createStaff(owner, services, merchant.id, 'owner');
  const call = async () => callAs(await staff());
  const turn = async (kind: NoticeKind, language: MessageLanguage, change: { body?: string; isOn: boolean }) => {
    const { templates } = await (await call()).messages.templates();
    const template = templates.find((one) => one.kind === kind && one.language === language);
    if (!template) throw new Error('there is no such template');
    await (await call()).messages.saveTemplate({ ...template, ...change });
  };
  const turnOn = (kind: NoticeKind, language: MessageLanguage = 'en', body?: string) =>
    turn(kind, language, { ...(body !== undefined && { body }), isOn: true });
  const turnOff = (kind: NoticeKind, language: MessageLanguage = 'en') => turn(kind, language, { isOn: false });
  const send = () => sendNotices(services, silentMessenger, merchant.id);
  const list = async () => (await (await call()).messages.list({})).items;
  const texts = async () => (await list()).map(({ text }) => text);
  const rows = () => owner`select * from messages where merchant_id = ${merchant.id} order by id`;
  const packageId = await createFixedPackage(owner, merchant.id, {
    amount: 10_000,
    bonus: 2_000,
    bonus_expires_in_days: 30,
  });
  const pay = async (customerId: string, transactionId = `t-${++serial}`) => {
    const till = await authenticateKey(services, merchant.stores[0].key);
    return topUp(till, { transactionId, customer: { customerId }, packageId });
  };
  const issueTo = async (campaignId: string, customerIds: string[]) => {
    const issueId = crypto.randomUUID();
    const audience = { kind: 'customers' as const, customerIds };
    return (await call()).vouchers.issue({ issueId, campaignId, audience });
  };
  return { ...scene, staff, call, turnOn, turnOff, send, list, texts, rows, pay, issueTo };
}
