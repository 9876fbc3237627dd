import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { StartupError } from '@/db/startup-error';
import { hasAddress } from '../domain/kernel/networks';
import { hasSandboxInbox, readEnv, secretsOf } from './env';

const good = {
  APP_ENV: 'sandbox',
  DATABASE_URL: 'postgres://app:secret@db:5432/loyalty',
  AUTH_SECRET: 'a'.repeat(32),
  DATA_SECRET: 'p'.repeat(32),
};

const mail = { SMTP_URL: 'smtps://user:secret@smtp.example.com', MAIL_FROM: 'Tableside <hello@example.com>' };
const whatsapp = {
  WHATSAPP_PHONE_NUMBER_ID: '1',
  WHATSAPP_ACCESS_TOKEN: 't',
  WHATSAPP_VERIFY_TOKEN: 'v',
  WHATSAPP_APP_SECRET: 's',
};

function problemsOf(variables: Record<string, string | undefined>): string[] {
  try {
    readEnv(variables);
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError);
    const [title, ...lines] = (error as Error).message.split('\n');
    expect(title).toBe('The environment is not complete (see .env.example):');
    return lines.map((line) => line.trim());
  }
  return [];
}

describe('the minimal environment', () => {
  test('is the environment, the database and two secrets; the rest has defaults', () => {
    expect(readEnv(good)).toEqual({
      ...good,
      NODE_ENV: 'development',
      DATABASE_POOL_SIZE: 10,
      PORT: 3000,
      HOST: '0.0.0.0',
      DRAIN_SECONDS: 0,
      METRICS_HOST: '127.0.0.1',
      PUBLIC_ORIGIN: 'http://localhost:3000',
      apiOrigin: 'http://localhost:3000',
      ALLOWED_HOSTS: [],
      ARCHIVE_KEYS_ACCEPTED: [],
      WHATSAPP_API_URL: 'https://graph.facebook.com',
      WHATSAPP_API_VERSION: 'v25.0',
      WHATSAPP_TEMPLATE: 'verification_code',
      WHATSAPP_CODE_TEMPLATE: 'verification_code',
      WHATSAPP_TEMPLATE_LANGUAGE: 'en',
      STRIPE_API_BASE: 'https://api.stripe.com',
      STRIPE_FEE_BASIS_POINTS: 0,
      CODES_PER_HOUR: 5_000,
      CODES_PER_DAY: 50_000,
      TRUSTED_PROXIES: 0,
      LOG_LEVEL: 'info',
    });
  });

  test('the public address follows the port, unless it is set', () => {
    expect(readEnv({ ...good, PORT: '8080' }).PUBLIC_ORIGIN).toBe('http://localhost:8080');
    expect(readEnv({ ...good, PUBLIC_ORIGIN: 'https://loyalty.example.com' }).PUBLIC_ORIGIN).toBe(
      'https://loyalty.example.com',
    );
  });

  test('keys of archives are Ed25519: a private one of its own, and public ones of others', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const own = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const other = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    const { ARCHIVE_KEY, ARCHIVE_KEYS_ACCEPTED } = readEnv({
      ...good,
      ARCHIVE_KEY: own,
      ARCHIVE_KEYS_ACCEPTED: `${other}, ${other}`,
    });
    expect(ARCHIVE_KEY?.equals(privateKey)).toBe(true);
    expect(ARCHIVE_KEYS_ACCEPTED).toEqual([other, other]);
    for (const [ARCHIVE_KEY, ARCHIVE_KEYS_ACCEPTED] of [
      [other, other],
      ['x', `${other},x`],
      [own, own],
    ]) {
      const problems = problemsOf({ ...good, ARCHIVE_KEY, ARCHIVE_KEYS_ACCEPTED });
      expect(problems.at(-1)).toMatch(/^ARCHIVE_KEY(S_ACCEPTED)? must be /);
    }
  });

  test('a cell has its name in its public address, and shares that of the API', () => {
    const { PUBLIC_ORIGIN, apiOrigin, cell } = readEnv({
      ...good,
      CELL: 'sg1',
      PUBLIC_ORIGIN: 'https://{cell}.loyalty.example.com/',
    });
    expect({ PUBLIC_ORIGIN, apiOrigin, name: cell?.name }).toEqual({
      PUBLIC_ORIGIN: 'https://sg1.loyalty.example.com',
      apiOrigin: 'https://loyalty.example.com',
      name: 'sg1',
    });
    expect(problemsOf({ ...good, CELL: 'sg1', PUBLIC_ORIGIN: 'https://sg1.loyalty.example.com' })).toEqual([
      'PUBLIC_ORIGIN must have the name of the cell in it, as {cell}: https://{cell}.loyalty.example.com',
    ]);
    expect(problemsOf({ ...good, PUBLIC_ORIGIN: 'https://{cell}.loyalty.example.com' })).toEqual([
      'CELL is missing: PUBLIC_ORIGIN needs it',
    ]);
    const shape = 'CELL must be up to eight lower-case letters and digits, and begin with a letter, like sg1';
    for (const CELL of ['SG1', '1sg', 'singapore1', 'sg-1']) {
      expect(problemsOf({ ...good, CELL, PUBLIC_ORIGIN: 'https://{cell}.loyalty.example.com' })).toEqual([shape]);
    }
  });

  test('further host names are a list', () => {
    expect(readEnv({ ...good, ALLOWED_HOSTS: 'POS.example.com, 10.0.0.5,[2001:db8::1]' }).ALLOWED_HOSTS).toEqual([
      'pos.example.com',
      '10.0.0.5',
      '[2001:db8::1]',
    ]);
  });

  test('our own proxies are a number, or addresses and networks', () => {
    expect(readEnv({ ...good, TRUSTED_PROXIES: '2' }).TRUSTED_PROXIES).toBe(2);
    const named = readEnv({ ...good, TRUSTED_PROXIES: '10.0.0.4, 10.1.0.0/16,2001:db8::/32' }).TRUSTED_PROXIES;
    const isTrustedOf = (address: string) => typeof named === 'object' && hasAddress(named, address);
    expect(['10.0.0.4', '10.1.2.3', '::ffff:10.1.2.3', '2001:db8:7::1'].filter((one) => !isTrustedOf(one))).toEqual([]);
    expect(['10.0.0.5', '10.2.0.1', '2001:db9::1', 'unknown'].filter(isTrustedOf)).toEqual([]);
  });

  test('an empty variable counts as not set', () => {
    expect(readEnv({ ...good, PORT: '', DATABASE_OWNER_URL: '' })).toEqual(readEnv(good));
  });

  test('unknown variables are ignored', () => {
    expect(readEnv({ ...good, PATH: '/bin', HOME: '/root' })).toEqual(readEnv(good));
  });
});

test('all problems are reported in one message, one line each', () => {
  expect(problemsOf({}).map((line) => line.split(' ')[0])).toEqual([
    'APP_ENV',
    'DATABASE_URL',
    'AUTH_SECRET',
    'DATA_SECRET',
  ]);
  const wrong = { APP_ENV: 'staging', DATABASE_URL: 'mysql://x', AUTH_SECRET: 'short', DATA_SECRET: 'x', PORT: 'abc' };
  expect(problemsOf(wrong)).toEqual([
    'APP_ENV must be sandbox or production',
    'DATABASE_URL must be an address like postgres://user:password@host:5432/database',
    'PORT must be a whole number from 1 to 65535',
    'AUTH_SECRET must have at least 32 characters',
    'DATA_SECRET must have at least 32 characters',
  ]);
});

test.each([
  ['PORT', '0'],
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['DATABASE_POOL_SIZE', '0'],
  ['DATABASE_POOL_SIZE', 'many'],
  ['NODE_ENV', 'staging'],
  ['LOG_LEVEL', 'loud'],
  ['TRUSTED_PROXIES', '-1'],
  ['TRUSTED_PROXIES', '6'],
  ['TRUSTED_PROXIES', 'some'],
  ['TRUSTED_PROXIES', 'proxy.internal'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '10.0.0.0/'],
  ['TRUSTED_PROXIES', '10.0.0.4,'],
  ['TRUSTED_PROXIES', '10.0.0.4, 0.0.0.0/0'],
  ['TRUSTED_PROXIES', '::/0'],
  ['WHATSAPP_API_VERSION', '25'],
  ['WHATSAPP_API_VERSION', 'v25.0/x'],
  ['CODES_PER_HOUR', '0'],
  ['CODES_PER_DAY', '1.5'],
  ['PUBLIC_ORIGIN', 'loyalty.example.com'],
  ['ALLOWED_HOSTS', 'https://pos.example.com'],
  ['ALLOWED_HOSTS', 'pos.example.com:8080'],
  ['DATABASE_OWNER_URL', 'localhost'],
])('%s=%s is reported, and nothing else', (name, value) => {
  const problems = problemsOf({ ...good, [name]: value });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${name} (must|has)`));
});

test('production refuses a public address without TLS, which a sandbox may have', () => {
  const production = { ...good, ...mail, ...whatsapp, APP_ENV: 'production' };
  for (const PUBLIC_ORIGIN of ['http://loyalty.example.com', 'http://localhost:3000']) {
    expect(problemsOf({ ...production, PUBLIC_ORIGIN })).toEqual([
      'PUBLIC_ORIGIN must begin with https:// in production: passwords and keys would travel unencrypted',
    ]);
    expect(problemsOf({ ...good, PUBLIC_ORIGIN })).toEqual([]);
  }
  expect(problemsOf({ ...production, PUBLIC_ORIGIN: 'https://loyalty.example.com' })).toEqual([]);
});

describe('settings of the other environment', () => {
  const PUBLIC_ORIGIN = 'https://loyalty.example.com';
  const production = { ...good, ...mail, ...whatsapp, APP_ENV: 'production', PUBLIC_ORIGIN };
  const stripe = (STRIPE_SECRET_KEY: string) => ({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET: 'whsec_1' });

  test.each(['sk', 'rk'])('production takes no test key of Stripe, a sandbox no live one: %s_…', (kind) => {
    const [live, trial] = [stripe(`${kind}_live_1`), stripe(`${kind}_test_1`)];
    expect(problemsOf({ ...production, ...live })).toEqual([]);
    expect(problemsOf({ ...good, ...trial })).toEqual([]);
    expect(problemsOf({ ...production, ...trial })).toEqual([
      'STRIPE_SECRET_KEY is a test key: production takes live keys (sk_live_…)',
    ]);
    expect(problemsOf({ ...good, ...live })).toEqual([
      'STRIPE_SECRET_KEY is a live key: a sandbox takes test keys (sk_test_…)',
    ]);
  });

  test.each(['STRIPE_API_BASE', 'WHATSAPP_API_URL'])('production sends no secret to a plain %s', (name) => {
    const plain = { [name]: 'http://gateway.example.com' };
    expect(problemsOf({ ...production, ...plain })).toEqual([
      `${name} must begin with https:// in production: its secret would travel unencrypted`,
    ]);
    expect(problemsOf({ ...good, ...plain })).toEqual([]);
  });

  test('production has two secrets', () => {
    expect(problemsOf({ ...production, DATA_SECRET: good.AUTH_SECRET })).toEqual([
      'DATA_SECRET must not be AUTH_SECRET: each protects something else',
    ]);
  });
});

test.each(['p@ss', 'p#ss', 'p/ss', 'a@b/c'])('a password like %s must be percent-encoded', (password) => {
  expect(problemsOf({ ...good, DATABASE_URL: `postgres://app:${password}@db1:5432,db2/loyalty` })).toEqual([
    expect.stringMatching(/^DATABASE_URL has a character in its password .* %40/),
  ]);
  const fine = `postgres://app:${encodeURIComponent(password)}@db1:5432,db2/loyalty?sslmode=disable`;
  expect(problemsOf({ ...good, DATABASE_URL: fine })).toEqual([]);
});

test.each(['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'])(
  '%s allows only TLS settings that both drivers understand, or no TLS',
  (name) => {
    const problemsWith = (parameters: string) =>
      problemsOf({ ...good, [name]: `postgres://app:secret@db1:5432,db2:5432/loyalty?${parameters}` });
    for (const fine of [
      '',
      'prepare=false',
      'sslmode=disable',
      'sslmode=verify-full',
      'prepare=false&sslmode=verify-full',
    ]) {
      expect(problemsWith(fine), fine).toEqual([]);
    }
    for (const parameters of [
      ...['prefer', 'allow', 'require', 'verify-ca', 'no-verify', 'true', ''].map((mode) => `sslmode=${mode}`),
      ...['ssl=true', 'ssl=require', 'sslmode=verify-full&sslrootcert=/etc/ca.pem', 'sslmode=disable&sslmode=require'],
    ]) {
      expect(problemsWith(parameters), parameters).toEqual([
        expect.stringMatching(`^${name} may have sslmode=verify-full or .* NODE_EXTRA_CA_CERTS`),
      ]);
    }
  },
);

test('e-mail is set up completely or, in a sandbox, not at all; production requires it', () => {
  expect(readEnv({ ...good, ...mail })).toMatchObject(mail);
  for (const name of Object.keys(mail)) {
    expect(problemsOf({ ...good, ...mail, [name]: undefined })).toEqual([`${name} is missing: e-mail needs it`]);
  }
  expect(problemsOf({ ...good, APP_ENV: 'production' })).toEqual(
    expect.arrayContaining(Object.keys(mail).map((name) => `${name} is missing: e-mail needs it`)),
  );
  expect(problemsOf({ ...good, ...mail, SMTP_URL: 'mail.example.com' })).toHaveLength(1);
});

test('mails are shown without signing in only on a sandbox’s own machine, and only if none is sent', () => {
  const isShown = (variables: Record<string, string>, client = '127.0.0.1') =>
    hasSandboxInbox(readEnv({ ...good, ...variables }), client);
  expect(isShown({})).toBe(true);
  expect(isShown({ PUBLIC_ORIGIN: 'http://127.0.0.1:8080' })).toBe(true);
  expect(isShown({ PUBLIC_ORIGIN: 'https://sandbox.example.com' })).toBe(false);
  expect(isShown({ PUBLIC_ORIGIN: 'http://localhost.example.com' })).toBe(false);
  expect(isShown(mail)).toBe(false);
  for (const client of ['127.0.1.1', '::1', '::ffff:127.0.0.1']) expect(isShown({}, client), client).toBe(true);
  for (const client of ['192.168.0.7', '203.0.113.127', '::ffff:192.168.0.7', 'fe80::1', 'unknown', '']) {
    expect(isShown({}, client), client).toBe(false);
  }
});

describe('WhatsApp', () => {
  test('is set up completely or, in a sandbox, not at all', () => {
    expect(readEnv({ ...good, ...whatsapp })).toMatchObject(whatsapp);
    for (const name of Object.keys(whatsapp)) {
      expect(problemsOf({ ...good, ...whatsapp, [name]: undefined })).toEqual([
        `${name} is missing: WhatsApp needs it`,
      ]);
    }
  });

  test('is required in production, and reported together with all other problems', () => {
    const problems = problemsOf({ ...good, ...mail, APP_ENV: 'production', PORT: 'abc' });
    expect(problems.map((line) => line.split(' ')[0])).toEqual(['PORT', 'PUBLIC_ORIGIN', ...Object.keys(whatsapp)]);
    const PUBLIC_ORIGIN = 'https://loyalty.example.com';
    const production = readEnv({ ...good, ...mail, ...whatsapp, APP_ENV: 'production', PUBLIC_ORIGIN });
    expect(production.APP_ENV).toBe('production');
    expect(hasSandboxInbox({ ...production, SMTP_URL: undefined }, '127.0.0.1')).toBe(false);
  });
});

describe('a secret that is rotated', () => {
  const [current, other] = [good.DATA_SECRET, 'o'.repeat(32)];

  test('is accepted beside the one in use; without one in use, none is', () => {
    expect(secretsOf(readEnv(good), 'DATA_SECRET')).toEqual([current]);
    expect(secretsOf(readEnv({ ...good, DATA_SECRET_ALSO_ACCEPTED: other }), 'DATA_SECRET')).toEqual([current, other]);
    expect(secretsOf(readEnv(good), 'WHATSAPP_APP_SECRET')).toEqual([]);
    const both = readEnv({ ...good, ...whatsapp, WHATSAPP_APP_SECRET_ALSO_ACCEPTED: 'old' });
    expect(secretsOf(both, 'WHATSAPP_APP_SECRET')).toEqual(['s', 'old']);
  });

  test('is refused if it is too short, the one in use once more, or alone', () => {
    expect(problemsOf({ ...good, AUTH_SECRET_ALSO_ACCEPTED: 'short', DATA_SECRET_ALSO_ACCEPTED: 'o' })).toEqual([
      'AUTH_SECRET_ALSO_ACCEPTED must have at least 32 characters',
      'DATA_SECRET_ALSO_ACCEPTED must have at least 32 characters',
    ]);
    expect(problemsOf({ ...good, DATA_SECRET_ALSO_ACCEPTED: current })).toEqual([
      'DATA_SECRET_ALSO_ACCEPTED must not repeat DATA_SECRET',
    ]);
    expect(problemsOf({ ...good, WHATSAPP_APP_SECRET_ALSO_ACCEPTED: 'old' })).toEqual([
      'WHATSAPP_APP_SECRET_ALSO_ACCEPTED needs WHATSAPP_APP_SECRET',
    ]);
  });
});

test('the message holds no secret', () => {
  const secrets = { AUTH_SECRET: 'hunter2', DATA_SECRET: 'swordfish', DATABASE_URL: 'mysql://root:tiger@db' };
  const accepted = { AUTH_SECRET_ALSO_ACCEPTED: 'hunter2', DATA_SECRET_ALSO_ACCEPTED: 'correct horse' };
  expect(problemsOf({ ...good, ...secrets, ...accepted }).join()).not.toMatch(/hunter2|swordfish|tiger|horse/);
});

test('.env.example names every variable', () => {
  const example = readFileSync('.env.example', 'utf8');
  const secrets = ['AUTH_SECRET', 'DATA_SECRET', 'WHATSAPP_APP_SECRET', 'STRIPE_WEBHOOK_SECRET'];
  const accepted = secrets.map((name) => `${name}_ALSO_ACCEPTED`);
  const { apiOrigin, ...variables } = readEnv(good);
  for (const name of [...Object.keys(variables), 'CELL', 'DATABASE_OWNER_URL', ...accepted]) {
    if (name !== 'NODE_ENV') expect(example, name).toMatch(new RegExp(`^#? ?${name}=`, 'm'));
  }
});

describe('Stripe', () => {
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };

  test('is set up completely or not at all, also in production', () => {
    expect(readEnv({ ...good, ...stripe })).toMatchObject({ ...stripe, STRIPE_API_BASE: 'https://api.stripe.com' });
    expect(readEnv(good).STRIPE_SECRET_KEY).toBeUndefined();
    for (const name of Object.keys(stripe)) {
      expect(problemsOf({ ...good, ...stripe, [name]: undefined })).toEqual([`${name} is missing: Stripe needs it`]);
    }
  });
});
