/** The WhatsApp Cloud API. It accepts only templates that it has approved. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { say, verbatim } from '@/server/domain/kernel/say';
import type { CodeKind, Delivery, MessageLanguage, Messenger, TemplateUse } from '@/server/domain/messaging';
import { type Logger, processLog } from '@/server/observe/log';
import { webhookDeliveries } from '@/server/observe/metrics';

const accepted = z.object({ messages: z.array(z.object({ id: z.string().min(1) })).min(1) });
const refused = z.object({ error: z.object({ code: z.number(), message: z.string() }) });

type WhatsappSettings = Record<
  | 'WHATSAPP_API_URL'
  | 'WHATSAPP_API_VERSION'
  | 'WHATSAPP_TEMPLATE'
  | 'WHATSAPP_CODE_TEMPLATE'
  | 'WHATSAPP_TEMPLATE_LANGUAGE',
  string
> & { WHATSAPP_PHONE_NUMBER_ID?: string | undefined; WHATSAPP_ACCESS_TOKEN?: string | undefined };

export function createWhatsapp(
  settings: WhatsappSettings,
  { timeoutMs = 10_000, log = processLog() }: { timeoutMs?: number; log?: Logger } = {},
): Messenger {
  const { WHATSAPP_API_URL, WHATSAPP_API_VERSION, WHATSAPP_PHONE_NUMBER_ID, WHATSAPP_ACCESS_TOKEN } = settings;
  const url = `${WHATSAPP_API_URL.replace(/\/$/, '')}/${WHATSAPP_API_VERSION}/${WHATSAPP_PHONE_NUMBER_ID}/messages`;
  const warnOfVersion = versionWarning(WHATSAPP_API_VERSION, log);
  const post = async (to: string, template: object): Promise<Delivery> => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${WHATSAPP_ACCESS_TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: to.replace('+', ''),
          type: 'template',
          template,
        }),
        // A redirect must not receive the token and the code.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return await read(response, warnOfVersion);
    } catch (error) {
      // Keeps only the error's name, because a message could quote the code or text.
      return { outcome: 'retry', reason: error instanceof Error ? verbatim(error.name) : say('noConnection') };
    }
  };
  const send = async (to: string, template: object): Promise<Delivery> => {
    const delivery = await post(to, template);
    webhookDeliveries.inc({ channel: 'whatsapp', outcome: delivery.outcome });
    return delivery;
  };
  return {
    sendCode: (kind, to, code) => send(to, codeTemplate(settings, kind, code)),
    sendNotice: (to, notice) => send(to, noticeTemplate(notice)),
  };
}

/** Builds an authentication template, with the code in its body and its copy button. */
function codeTemplate(settings: WhatsappSettings, kind: CodeKind, code: string) {
  const { WHATSAPP_TEMPLATE, WHATSAPP_CODE_TEMPLATE, WHATSAPP_TEMPLATE_LANGUAGE } = settings;
  const parameters = [{ type: 'text', text: code }];
  return {
    name: kind === 'pin' ? WHATSAPP_TEMPLATE : WHATSAPP_CODE_TEMPLATE,
    language: { code: WHATSAPP_TEMPLATE_LANGUAGE },
    components: [
      { type: 'body', parameters },
      { type: 'button', sub_type: 'url', index: '0', parameters },
    ],
  };
}

/** WhatsApp's names of the languages. */
const languageCodes: Record<MessageLanguage, string> = { en: 'en', zh: 'zh_CN', ja: 'ja', ms: 'ms' };

function noticeTemplate({ templateName, language, parameters }: TemplateUse) {
  const texts = parameters.map((text) => ({ type: 'text', text }));
  return {
    name: templateName,
    language: { code: languageCodes[language] },
    // WhatsApp refuses a component without parameters.
    components: texts.length === 0 ? [] : [{ type: 'body', parameters: texts }],
  };
}

/** Codes for a version that is no longer served, or for deprecated calls. */
const deprecated = new Set([12, 2_635]);

/**
 * Errors that do not concern the message (from Meta's list of error codes): unknown, unavailable, rate limits (4,
 * 80007, 130429, 131048, 131056), an expired access token (190), a version that is no longer served.
 */
const passing = new Set([1, 2, 4, 190, 80_007, 130_429, 131_048, 131_056, ...deprecated]);

const warnEveryMs = 3_600_000;

/**
 * Warns at most once an hour if WhatsApp refuses our version of its API, or answers as a later one because ours has
 * ended.
 */
function versionWarning(asked: string, log: Logger) {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (served: string | null, code: number | undefined) => {
    const isServed = served === null || !/^v\d+\.\d+$/.test(served) || served === asked;
    const isRefused = code !== undefined && deprecated.has(code);
    if ((isServed && !isRefused) || performance.now() - warnedAt < warnEveryMs) return;
    warnedAt = performance.now();
    const sentence = 'WhatsApp no longer serves this version of its API: set WHATSAPP_API_VERSION to a current one';
    log.warn({ asked, served: isServed ? undefined : served, code }, sentence);
  };
}

async function read(response: Response, warnOfVersion: ReturnType<typeof versionWarning>): Promise<Delivery> {
  const body = await response.json().catch(() => null);
  const code = refused.safeParse(body).data?.error.code;
  warnOfVersion(response.headers.get('facebook-api-version'), code);
  if (response.ok) {
    const id = accepted.safeParse(body).data?.messages[0]?.id;
    return id ? { outcome: 'sent', providerId: id } : { outcome: 'retry', reason: say('noMessageId') };
  }
  const { status } = response;
  const reason = code === undefined ? say('httpError', { status }) : say('whatsappErrorOverHttp', { status, code });
  const isPassing = status >= 500 || status === 429 || status === 401 || (code !== undefined && passing.has(code));
  return { outcome: isPassing ? 'retry' : 'refused', reason };
}

/** True if WhatsApp signed this body with one of the secrets (`X-Hub-Signature-256`). */
export function isSignedByWhatsapp(appSecrets: string[], body: string, signature: string | null): boolean {
  const sign = (appSecret: string) => `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
  return appSecrets.some((appSecret) => isSameSecret(signature ?? '', sign(appSecret)));
}

/** Compares in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const status = z.object({
  id: z.string(),
  status: z.enum(['sent', 'delivered', 'read', 'failed']),
  errors: z.array(z.object({ code: z.number() })).optional(),
});
const some = z.array(z.unknown()).optional();
const webhook = z.object({
  entry: z.array(z.object({ changes: z.array(z.object({ value: z.object({ statuses: some, messages: some }) })) })),
});
const changesOf = (body: unknown) => webhook.safeParse(body).data?.entry.flatMap(({ changes }) => changes) ?? [];

/** A typed reply, or a template's button. */
const reply = z.object({
  from: z.string().regex(/^\d{5,15}$/),
  text: z.object({ body: z.string() }).optional(),
  button: z.object({ text: z.string() }).optional(),
  interactive: z.object({ button_reply: z.object({ title: z.string() }) }).optional(),
});
const stop = /^[^\p{L}\p{N}]*(stop|unsubscribe|berhenti|停止|退订|配信停止)[^\p{L}\p{N}]*$/iu;

/** Returns the phones (E.164) that replied to opt out. */
export function readOptOuts(body: unknown): string[] {
  return changesOf(body)
    .flatMap(({ value }) => value.messages ?? [])
    .flatMap((raw) => {
      const { data } = reply.safeParse(raw);
      const said = data?.text?.body ?? data?.button?.text ?? data?.interactive?.button_reply.title;
      return data && said !== undefined && stop.test(said) ? [`+${data.from}`] : [];
    });
}

/** Returns the delivery receipts of a webhook's body, and ignores everything else. */
export function readReceipts(body: unknown) {
  return changesOf(body)
    .flatMap(({ value }) => value.statuses ?? [])
    .flatMap((raw) => {
      const receipt = status.safeParse(raw).data;
      if (!receipt) return [];
      const code = receipt.errors?.[0]?.code;
      const failure = receipt.status === 'failed' ? say('whatsappError', { code: code ?? 'unknown' }) : null;
      return [{ providerId: receipt.id, state: receipt.status, failure }];
    });
}
