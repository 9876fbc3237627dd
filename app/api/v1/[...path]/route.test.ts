/** The client address that the route trusts if Next runs without the front door. */
import { expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createKey, createMerchant, testSecret } from '@/server/testing/factory';
import { useSettings } from '@/server/testing/settings';

const database = ownDatabase();
const settings = { APP_ENV: 'sandbox', AUTH_SECRET: testSecret, DATA_SECRET: testSecret, LOG_LEVEL: 'silent' };

test.each([
  { proxies: 1, forwardedFor: '203.0.113.7', status: 200 },
  { proxies: 1, forwardedFor: '203.0.113.7, 198.51.100.1', status: 403 },
  { proxies: 0, forwardedFor: '203.0.113.7', status: 403 },
  { proxies: 0, forwardedFor: '198.51.100.1, 203.0.113.7', status: 403 },
])(
  'behind $proxies of our proxies, "$forwardedFor" gets a key of 203.0.113.0/24 $status, and any other key 200',
  async ({ proxies, forwardedFor, status }) => {
    const own = { PUBLIC_ORIGIN: 'http://localhost:3000', DATABASE_URL: database.url, DATABASE_OWNER_URL: '' };
    const restore = useSettings({ ...settings, ...own, TRUSTED_PROXIES: proxies });
    const { getServices } = await import('@/server/environment/services');
    const { GET } = await import('./route');
    const merchant = await createMerchant(database.owner);
    const limited = await createKey(database.owner, merchant.id, null, { networks: ['203.0.113.0/24'] });
    const ping = async (key: string) => {
      const headers = { 'x-api-key': key, 'x-forwarded-for': forwardedFor };
      return (await GET(new Request('http://localhost:3000/api/v1/ping', { headers }))).status;
    };
    expect([await ping(limited), await ping(merchant.key)]).toEqual([status, 200]);
    await getServices().db.close();
    restore();
  },
);
