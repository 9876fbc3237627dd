import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readEnv } from '../environment/env';
import { ensureListenerIsPrivate } from './port';

const secret = 'thirty-two characters, for tests only';
const settings = { APP_ENV: 'sandbox', DATABASE_URL: 'postgres://none', AUTH_SECRET: secret, DATA_SECRET: secret };
const check = (own: Record<string, string | undefined>) => ensureListenerIsPrivate(readEnv({ ...settings, ...own }));

// The last two are host names to Node. They stand for 0.0.0.0 and 203.0.113.7 without any DNS server.
test.each([undefined, '0.0.0.0', '::', '203.0.113.7', '172.32.0.1', '2001:db8::1', '0', '3405803783'])(
  'a number of proxies is refused on %s, which others may reach',
  async (HOST) => {
    await expect(check({ HOST, TRUSTED_PROXIES: '1' })).rejects.toThrow(
      /^With TRUSTED_PROXIES=1, [^\n]+ set HOST [^\n]+$/,
    );
    await check({ HOST, TRUSTED_PROXIES: '10.0.0.0/8' });
    await check({ HOST, TRUSTED_PROXIES: '0' });
  },
);

test('a name that stands for nothing is refused in one line', async () => {
  await expect(check({ HOST: 'nowhere.invalid', TRUSTED_PROXIES: '1' })).rejects.toThrow(
    /^The service cannot listen on nowhere\.invalid:\d+: [A-Z_]+\.$/,
  );
});

test.each(['127.0.0.1', '10.0.0.5', '172.31.0.1', '192.168.1.5', '100.64.0.1', '::1', 'fd00::5', 'localhost'])(
  'a number of proxies is accepted on %s',
  (HOST) => check({ HOST, TRUSTED_PROXIES: '1' }),
);

test('the samples for operators are accepted', async () => {
  const read = (file: string) => readFileSync(`deploy/${file}`, 'utf8');
  const secrets = { AUTH_SECRET: secret, DATA_SECRET: secret };
  await check({ ...parseEnv(read('systemd/loyalty.env')), ...secrets });
  for (const proxy of ['proxies/nginx.conf', 'proxies/haproxy.cfg']) {
    const [, TRUSTED_PROXIES = ''] = /Set TRUSTED_PROXIES=([^ ,]+)/.exec(read(proxy)) ?? [];
    expect(TRUSTED_PROXIES).toBe('127.0.0.1');
    await check({ TRUSTED_PROXIES });
  }
  const compose = read('compose.yaml');
  const [, TRUSTED_PROXIES = ''] = / TRUSTED_PROXIES: (.+)/.exec(compose) ?? [];
  const [, HOST = ''] = /\bHOST=([^ ]+)/.exec(read('Dockerfile')) ?? [];
  expect([HOST, TRUSTED_PROXIES]).toEqual(['0.0.0.0', / subnet: ([^ ]+) /.exec(compose)?.[1]]);
  await check({ ...parseEnv(read('compose.env.example')), ...secrets, HOST, TRUSTED_PROXIES });
});
