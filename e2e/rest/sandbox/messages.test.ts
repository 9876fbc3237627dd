import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@/server/domain/kernel/ids';
import { sealSecret } from '@/server/domain/kernel/secrets';
import { openPhone } from '@/server/testing/diners';
import { createCustomer, createMerchant, testKeys, testServices } from '@/server/testing/factory';
import { operationSuite } from '../expectations';
import { createScene, newTransactionId, restApi, type Scene } from '../harness';

const api = restApi();
const { expectError, expectSuccess, coversReference } = operationSuite('listSandboxMessages');
let scene: Scene;

beforeAll(async () => {
  scene = await createScene(api, { pin_required: true });
});

const list = async (query: Record<string, string> = {}, key = scene.key) =>
  api.get(key, `/sandbox/messages?${new URLSearchParams(query)}`);
const forgetPin = (customerId: string) => api.post(scene.key, '/customers/forget-pin', { customer: { customerId } });
const newCustomer = () => createCustomer(api.owner, scene.merchant.id);

describe('200', () => {
  test('a PIN, with which the till then redeems', async () => {
    const { id: customerId, phone } = await newCustomer();
    await forgetPin(customerId);
    const { items, nextCursor } = expectSuccess(await list({ phone }));
    expect({ items, nextCursor }).toEqual({
      items: [
        {
          messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          kind: 'pin',
          customerId,
          phone,
          code: expect.stringMatching(/^[0-9]{4}$/),
          text: null,
          createdAt: expect.stringMatching(/^20.*Z$/),
        },
      ],
      nextCursor: null,
    });
    const redeem = (pin: string) =>
      api.post(scene.key, '/transactions/points/redeem', {
        transactionId: newTransactionId(),
        customer: { customerId },
        points: 1,
        pin,
      });
    const { code } = items[0];
    expect((await redeem(code === '0001' ? '0002' : '0001')).body.error.code).toBe('pin_invalid');
    expect((await redeem(code)).body.error.code).toBe('insufficient_points');
  });

  test('the code with which a diner signs in, of a number that nobody has yet, too', async () => {
    const customer = await newCustomer();
    const numbers = [customer.phone, '+6581230001'];
    for (const phone of numbers) {
      const { api: diner } = openPhone(testServices(api.db), scene.merchant.id);
      await diner.identity.requestCode({ phone });
      const [message] = expectSuccess(await list({ phone })).items;
      const customerId = phone === customer.phone ? customer.id : null;
      expect(message).toMatchObject({ kind: 'sign_in_code', customerId, phone, text: null });
      expect(await diner.identity.verifyCode({ phone, code: message.code })).toBeDefined();
    }
  });

  test('the text of a notice, and nothing that was not sent', async () => {
    const { id: customerId, phone } = await newCustomer();
    const kinds = ['voucher-issued', 'value-expiring', 'top-up-receipt'];
    for (const [at, kind] of [...kinds, 'top-up-receipt'].entries()) {
      const id = newId(Date.now() + at);
      const isSent = at < kinds.length;
      const secret = isSent ? sealSecret(testKeys.messageKey, id, `Text of ${kind}`) : null;
      await api.owner`insert into messages ${api.owner({
        merchant_id: scene.merchant.id,
        id,
        customer_id: customerId,
        kind,
        channel: 'whatsapp',
        subject: `${at}`,
        state: isSent ? 'inbox' : 'failed',
        due_at: new Date(),
        secret,
      })}`;
    }
    const { items } = expectSuccess(await list({ phone }));
    expect(items.map(({ kind, code, text }: Record<string, string>) => [kind, code, text])).toEqual([
      ['top_up_receipt', null, 'Text of top-up-receipt'],
      ['value_expiring', null, 'Text of value-expiring'],
      ['voucher_issued', null, 'Text of voucher-issued'],
    ]);
  });

  test('newest first, page by page, and only those of a number, however it is written', async () => {
    const fresh = await createScene(api);
    const customers = [fresh.customer, await createCustomer(api.owner, fresh.merchant.id)];
    for (const { id } of [...customers, ...customers]) {
      await api.post(fresh.key, '/customers/forget-pin', { customer: { customerId: id } });
    }
    const page = async (query: Record<string, string>) => expectSuccess(await list(query, fresh.key));
    const idsOf = ({ items }: { items: { messageId: string }[] }) => items.map(({ messageId }) => messageId);
    const all = idsOf(await page({}));
    expect(all).toHaveLength(4);
    expect(all).toEqual([...all].sort().reverse());
    const first = await page({ limit: '3' });
    const second = await page({ limit: '3', after: first.nextCursor });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(all);
    expect(second.nextCursor).toBeNull();
    const { phone } = fresh.customer;
    const national = phone.slice(3).replace(/^(....)/, '$1 ');
    for (const written of [phone, national]) {
      const { items } = await page({ phone: written });
      expect(items.map((item: { customerId: string }) => item.customerId)).toEqual([
        fresh.customer.id,
        fresh.customer.id,
      ]);
    }
    expect(await page({ phone: '+6581230099' })).toEqual({ items: [], nextCursor: null });
  });

  test('nothing of another merchant, whose customer has the same number', async () => {
    const { id, phone } = await newCustomer();
    await forgetPin(id);
    const other = await createMerchant(api.owner);
    const twin = await createCustomer(api.owner, other.id);
    await api.owner`update customers set phone = ${phone} where id = ${twin.id}`;
    expect(expectSuccess(await list({ phone }, other.key)).items).toEqual([]);
    expect(expectSuccess(await list({}, other.key)).items).toEqual([]);
    expect(expectSuccess(await list({ phone }, scene.merchant.key)).items).toHaveLength(1);
  });
});

describe('400 invalid_request', () => {
  test.each([
    [{ phone: '12' }, 'phone'],
    [{ phone: '' }, 'phone'],
    [{ after: 'x' }, 'after'],
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ customerId: newId() }, 'customerId'],
  ] as [Record<string, string>, string][])('%j', async (query, field) => {
    const { issues } = expectError(await list(query), 400, 'invalid_request');
    expect(issues.map(({ path }: { path: string }) => path)).toEqual([field]);
  });
});

test('401 invalid_api_key', async () => {
  expectError(await api.get(undefined, '/sandbox/messages'), 401, 'invalid_api_key');
});

coversReference();
