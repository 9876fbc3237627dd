/** What a POS prints: plain text of at most 40 columns, in the merchant's language and currency. */
import { describe, expect, test } from 'vitest';
import { createFixedPackage } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { createScene, newTransactionId, restApi } from '../harness';
import { plainSale } from '../ordering-operations';

const api = restApi();

/** Columns on a receipt printer: East Asian characters and full-width signs take two. */
const columnsOf = (line: string) =>
  [...line].reduce(
    (sum, char) => sum + (/[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uff01-\uff60\uffe0-\uffe6]/.test(char) ? 2 : 1),
    0,
  );

const longName = 'The Very Long Name of a Restaurant Group That No Receipt Printer Can Hold';
const longNameJa = '株式会社とても長い名前のレストラングループ東京本店営業部';

const merchants = [
  {
    language: 'en',
    settings: { name: longName },
    words: ['Added to balance', 'Stored value used', 'Voucher', 'Points used', 'Points earned'],
    money: /-?\$[\d,]+\.\d\d$/,
  },
  {
    language: 'ja',
    settings: { name: longNameJa, currency: 'JPY', country: 'JP', locale: 'ja-JP', time_zone: 'Asia/Tokyo' },
    words: ['残高に追加', 'チャージ残高利用', 'クーポン', '利用ポイント', '獲得ポイント'],
    money: /-?￥[\d,]+$/,
  },
];

describe.each(merchants)('$language', ({ settings, words, money }) => {
  test('every receipt text, with the largest amounts', async () => {
    const scene = await createScene(api, settings);
    const { merchant, customer, key } = scene;
    const packageId = await createFixedPackage(api.owner, merchant.id, {
      amount: 90_000_000_000,
      bonus: 9_000_000_000,
    });
    const campaignId = await createCampaign(api.owner, merchant.id, { value: 99_999_999_999 });
    const voucherCode = await createVoucher(api.owner, merchant.id, { campaignId, customerId: customer.id });
    const texts: string[] = [];
    const send = async (path: string, body: object) => {
      const sent = { transactionId: newTransactionId(), customer: { customerId: customer.id }, ...body };
      const answer = await api.post(key, path, sent);
      expect(answer.status, answer.text).toBe(200);
      texts.push(answer.body.printText);
    };
    await send('/transactions/stored-value/top-up', { packageId });
    await send('/transactions/stored-value/redeem', { amount: 98_999_999_999 });
    await send('/transactions/stored-value/redeem', { amount: 99_999_999_999, allowPartial: true });
    await send('/transactions/voucher/redeem', { voucherCode, bill: { amount: 99_999_999_999 } });
    await send('/sales', plainSale(99_999_999_999));
    await send('/transactions/points/redeem', { points: 999_999_998 });
    await send('/transactions/points/redeem', { points: 1 });

    for (const text of texts) {
      const [name = '', ...rows] = text.split('\n');
      expect(columnsOf(name)).toBeLessThanOrEqual(40);
      expect(settings.name.startsWith(name)).toBe(true);
      expect(name.length).toBeGreaterThan(15);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        expect(columnsOf(row), row).toBe(40);
        expect(row).toMatch(/^\S.*\s\S+$/);
      }
      expect(
        rows.some((row) => money.test(row)),
        text,
      ).toBe(true);
      for (const row of rows) expect(row).not.toMatch(/\p{Cc}/u);
    }
    for (const word of words) expect(texts.join('\n')).toContain(`\n${word} `);
  });
});
