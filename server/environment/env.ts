/** Checks the environment once, and reports every problem in one message. `.env.example` lists the variables. */
import { z } from 'zod';
import { StartupError } from '@/db/startup-error';
import { type Cell, cellPattern, createCell, originOf, originPatternPattern } from '../domain/kernel/cells';
import { isLoopback, networkList } from '../domain/kernel/networks';
import type { TrustedProxies } from '../limits/client-address';
import { archiveKeySettings } from './archive-keys';
import { mixedUpProblems } from './mixed-up';

const databaseAddress = (missing?: string) =>
  z
    .string(missing)
    .regex(/^postgres(ql)?:\/\/.+/, 'must be an address like postgres://user:password@host:5432/database')
    .superRefine((address, ctx) => {
      const message = addressProblem(address);
      if (message) ctx.addIssue({ code: 'custom', message });
    });

/**
 * Returns a problem of a PostgreSQL address, or null: a password with characters that have another meaning in a URL, or
 * TLS settings that the two drivers interpret differently.
 */
export function addressProblem(address: string): string | null {
  const [target = '', parameters] = address.split('?');
  const [, rest = ''] = target.split('://');
  const [authority = '', ...path] = rest.split('/');
  if (authority.split('@').length > 2 || /[@#]/.test(path.join('/')) || authority.includes('#')) {
    return 'has a character in its password that stands for something else: write @ as %40, # as %23, / as %2F';
  }
  const isValid = [...new URLSearchParams(parameters)].every(([name, value]) =>
    name === 'sslmode' ? ['disable', 'verify-full'].includes(value) : !/^(ssl|uselibpqcompat)/i.test(name),
  );
  return isValid
    ? null
    : 'may have sslmode=verify-full or sslmode=disable and no other setting of TLS: name the file of an authority of ' +
        'your own in NODE_EXTRA_CA_CERTS, in the real environment';
}

const oneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  z.enum(values, `must be ${values.join(' or ')}`);

const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(message).int(message).min(min, message).max(max, message);
};

const network = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()]);

/**
 * A number of proxies, or their addresses and networks. A network of all addresses is refused, because anyone could
 * then claim any address.
 */
const trustedProxies = z.string().transform((value, ctx): TrustedProxies => {
  if (/^[0-5]$/.test(value)) return Number(value);
  const networks = value.split(',').map((one) => one.trim());
  if (networks.every((one) => network.safeParse(one).success && !/\/0+$/.test(one))) return networkList(networks);
  const message =
    'must be the number of your proxies, from 0 to 5, or their addresses and networks, like 10.0.0.4, 10.1.0.0/16';
  ctx.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const secret = (missing?: string) => z.string(missing).min(32, 'must have at least 32 characters');

const samplers = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;
const ratio = 'must be a number from 0 to 1';

const schema = z.object({
  NODE_ENV: oneOf('development', 'production', 'test').default('development'),
  APP_ENV: oneOf('sandbox', 'production'),
  CELL: z
    .string()
    .regex(cellPattern, 'must be up to eight lower-case letters and digits, and begin with a letter, like sg1')
    .optional(),
  DATABASE_URL: databaseAddress('is missing: the address of PostgreSQL, postgres://user:password@host:5432/database'),
  DATABASE_OWNER_URL: databaseAddress().optional(),
  DATABASE_DIRECT_URL: databaseAddress().optional(),
  DATABASE_REPLICA_URL: databaseAddress().optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 200).default(10),
  PORT: wholeNumber(1, 65_535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  DRAIN_SECONDS: wholeNumber(0, 300).default(0),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .regex(/^https?:\/\/[^\s?#@]+$/, 'must be an address like http://collector:4318')
    .optional(),
  // OpenTelemetry's SDK reads it, and would ignore a wrong value.
  OTEL_TRACES_SAMPLER: oneOf(...samplers).optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0, ratio).max(1, ratio).optional(),
  PUBLIC_ORIGIN: z
    .string()
    .regex(
      /^https?:\/\/(\{cell\}\.)?[\w.-]+(:\d{1,5})?\/?$/,
      'must be the address that browsers use, like https://loyalty.example.com, without a path',
    )
    .transform((address) => address.replace(/\/$/, ''))
    .optional(),
  ALLOWED_HOSTS: z
    .string()
    .regex(
      /^([\w.-]+|\[[\da-f:.]+\])(\s*,\s*([\w.-]+|\[[\da-f:.]+\]))*$/i,
      'must be host names without a port, separated by commas, like pos.example.com, 10.0.0.5',
    )
    .transform((list) => list.toLowerCase().split(/\s*,\s*/))
    .default([]),
  AUTH_SECRET: secret('is missing: at least 32 random characters'),
  AUTH_SECRET_ALSO_ACCEPTED: secret().optional(),
  DATA_SECRET: secret('is missing: at least 32 random characters'),
  DATA_SECRET_ALSO_ACCEPTED: secret().optional(),
  ...archiveKeySettings,
  WHATSAPP_API_URL: z.url('must be an address').default('https://graph.facebook.com'),
  WHATSAPP_API_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must be a version like v25.0')
    .default('v25.0'),
  WHATSAPP_PHONE_NUMBER_ID: z.string().optional(),
  WHATSAPP_ACCESS_TOKEN: z.string().optional(),
  WHATSAPP_TEMPLATE: z.string().default('verification_code'),
  WHATSAPP_CODE_TEMPLATE: z.string().default('verification_code'),
  WHATSAPP_TEMPLATE_LANGUAGE: z.string().default('en'),
  WHATSAPP_VERIFY_TOKEN: z.string().optional(),
  WHATSAPP_APP_SECRET: z.string().optional(),
  WHATSAPP_APP_SECRET_ALSO_ACCEPTED: z.string().optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/.+/, 'must be an address like smtps://user:password@smtp.example.com')
    .optional(),
  MAIL_FROM: z.string().regex(/@/, 'must be an address like Tableside <hello@example.com>').optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_WEBHOOK_SECRET_ALSO_ACCEPTED: z.string().optional(),
  STRIPE_CONNECT_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_CONNECT_WEBHOOK_SECRET_ALSO_ACCEPTED: z.string().optional(),
  STRIPE_FEE_BASIS_POINTS: wholeNumber(0, 10_000).default(0),
  STRIPE_API_BASE: z.url('must be an address').default('https://api.stripe.com'),
  CODES_PER_HOUR: wholeNumber(1, 1_000_000).default(5_000),
  CODES_PER_DAY: wholeNumber(1, 10_000_000).default(50_000),
  TRUSTED_PROXIES: trustedProxies.default(0),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent').default('info'),
});

const whatsapp = [
  'WHATSAPP_PHONE_NUMBER_ID',
  'WHATSAPP_ACCESS_TOKEN',
  'WHATSAPP_VERIFY_TOKEN',
  'WHATSAPP_APP_SECRET',
] as const;

const smtp = ['SMTP_URL', 'MAIL_FROM'] as const;

const stripe = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;

/** Secrets that can be rotated. For each, a second one can be accepted besides. */
const rotated = [
  'AUTH_SECRET',
  'DATA_SECRET',
  'WHATSAPP_APP_SECRET',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_CONNECT_WEBHOOK_SECRET',
] as const;

type Variables = z.infer<typeof schema>;

export interface Env extends Omit<Variables, 'CELL' | 'PUBLIC_ORIGIN'> {
  /** The origin of this deployment. In a cell, its name is filled in. */
  PUBLIC_ORIGIN: string;
  /** The origin of the REST API, the same in all cells. */
  apiOrigin: string;
  /** Undefined if this deployment is the only one. */
  cell?: Cell | undefined;
}

/** Errors: `StartupError` with a line for each variable that is missing or wrong. */
export function readEnv(variables: Record<string, string | undefined>): Env {
  // An empty variable was left blank in a file of defaults. It counts as not set.
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const { data, error } = schema.safeParse(given);
  const lines = [
    ...(error?.issues ?? []).map((issue) => `  ${issue.path.join('.')} ${issue.message}`),
    ...(given.APP_ENV === 'production' ? publicOriginProblems(given.PUBLIC_ORIGIN) : []),
    ...mixedUpProblems(given),
    ...cellProblems(given),
    ...rotated.flatMap((name) => rotationProblems(name, given)),
    ...missingOf(whatsapp, given).map((name) => `  ${name} is missing: WhatsApp needs it`),
    ...missingOf(smtp, given).map((name) => `  ${name} is missing: e-mail needs it`),
    ...stripe
      .filter((name) => given[name] === undefined && stripe.some((other) => given[other] !== undefined))
      .map((name) => `  ${name} is missing: Stripe needs it`),
    ...(given.STRIPE_CONNECT_WEBHOOK_SECRET !== undefined && given.STRIPE_SECRET_KEY === undefined
      ? ['  STRIPE_SECRET_KEY is missing: Stripe Connect needs it']
      : []),
    ...(Number(given.STRIPE_FEE_BASIS_POINTS ?? 0) > 0 && given.STRIPE_CONNECT_WEBHOOK_SECRET === undefined
      ? ['  STRIPE_CONNECT_WEBHOOK_SECRET is missing: only merchants with an account of their own pay a fee']
      : []),
  ];
  if (!data || lines.length > 0) {
    throw new StartupError(`The environment is not complete (see .env.example):\n${lines.join('\n')}`);
  }
  return withAddresses(data);
}

function withAddresses({ CELL, PUBLIC_ORIGIN, ...data }: Variables): Env {
  if (CELL !== undefined && PUBLIC_ORIGIN !== undefined) {
    const cell = createCell(CELL, PUBLIC_ORIGIN);
    return { ...data, PUBLIC_ORIGIN: originOf(cell, CELL), apiOrigin: cell.apiOrigin, cell };
  }
  const origin = PUBLIC_ORIGIN ?? `http://localhost:${data.PORT}`;
  return { ...data, PUBLIC_ORIGIN: origin, apiOrigin: origin };
}

/** Every cell's address follows from its name, so that cells need not know of each other. */
function cellProblems({ CELL, PUBLIC_ORIGIN = '' }: Record<string, string | undefined>): string[] {
  const isPattern = originPatternPattern.test(PUBLIC_ORIGIN);
  if (CELL !== undefined && !isPattern) {
    return ['  PUBLIC_ORIGIN must have the name of the cell in it, as {cell}: https://{cell}.loyalty.example.com'];
  }
  return CELL === undefined && isPattern ? ['  CELL is missing: PUBLIC_ORIGIN needs it'] : [];
}

/** Returns the current secret, and during a rotation the other one that is accepted. Empty if the first is not set. */
export function secretsOf(settings: Env, name: 'AUTH_SECRET' | 'DATA_SECRET'): [string, ...string[]];
export function secretsOf(settings: Env, name: (typeof rotated)[number]): string[];
export function secretsOf(settings: Env, name: (typeof rotated)[number]): string[] {
  const { [name]: current, [`${name}_ALSO_ACCEPTED` as const]: other } = settings;
  return current === undefined ? [] : [current, ...(other === undefined ? [] : [other])];
}

function rotationProblems(name: string, given: Record<string, string | undefined>): string[] {
  const { [name]: current, [`${name}_ALSO_ACCEPTED`]: other } = given;
  if (other === undefined) return [];
  if (current === undefined) return [`  ${name}_ALSO_ACCEPTED needs ${name}`];
  return current === other ? [`  ${name}_ALSO_ACCEPTED must not repeat ${name}`] : [];
}

/** In production, passwords, PINs and keys may not travel in plain text. */
function publicOriginProblems(address: string | undefined): string[] {
  if (!address) return ['  PUBLIC_ORIGIN is missing: the address that browsers use, like https://loyalty.example.com'];
  if (!address.startsWith('http:')) return [];
  return ['  PUBLIC_ORIGIN must begin with https:// in production: passwords and keys would travel unencrypted'];
}

/** A message channel must be configured completely or, in a sandbox, may be left out. */
function missingOf(names: readonly string[], given: Record<string, string | undefined>): string[] {
  const missing = names.filter((name) => given[name] === undefined);
  const isRequired = given.APP_ENV === 'production' || missing.length < names.length;
  return isRequired ? missing : [];
}

/**
 * True if mails are shown to `client` instead of being sent. Only on the machine itself, where no one else can see
 * them.
 */
export function hasSandboxInbox({ APP_ENV, SMTP_URL, PUBLIC_ORIGIN }: Env, client: string): boolean {
  const isLocal = ['localhost', '127.0.0.1'].includes(new URL(PUBLIC_ORIGIN).hostname);
  return APP_ENV === 'sandbox' && SMTP_URL === undefined && isLocal && isLoopback(client);
}

let cached: Env | undefined;

export function env(): Env {
  cached ??= readEnv(process.env);
  return cached;
}
