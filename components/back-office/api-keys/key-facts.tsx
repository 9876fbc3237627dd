import type { inferRouterOutputs } from '@trpc/server';
import { useFormatter, useTranslations } from 'next-intl';
import { tillScopes } from '@/server/domain/merchants/schemas';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { Badge, type Tone } from '../../ui/badge';

export type ApiKey = inferRouterOutputs<StaffRouter>['apiKeys']['get'];

/** The first and last characters of a key: the only parts shown after its creation. */
export function KeyEnds({ apiKey: { prefix, lastFour } }: { apiKey: ApiKey }) {
  return (
    <code className="font-mono text-sm whitespace-nowrap">
      {prefix}…{lastFour}
    </code>
  );
}

const tones: Record<ApiKey['state'], Tone> = {
  active: 'good',
  ending: 'caution',
  expired: 'neutral',
  revoked: 'neutral',
};

export function KeyState({ apiKey: { state, store } }: { apiKey: ApiKey }) {
  const t = useTranslations('apiKeys');
  const isWorking = state === 'active' || state === 'ending';
  if (isWorking && store?.isClosed) return <Badge tone="caution">{t('storeClosed')}</Badge>;
  return <Badge tone={tones[state]}>{t(state)}</Badge>;
}

type Scopes = ApiKey['scopes'];

const hasTillScopes = (scopes: Scopes) => tillScopes.every((scope) => scopes.includes(scope));
const otherScopes = (scopes: Scopes) => scopes.filter((scope) => !tillScopes.some((one) => one === scope));

/** Names what a key may do. */
export function KeyScopes({ apiKey: { scopes } }: { apiKey: ApiKey }) {
  const t = useTranslations('apiKeys');
  const format = useFormatter();
  if (scopes.length === 0) return t('scopes.read');
  const named = hasTillScopes(scopes) ? (['all', ...otherScopes(scopes)] as const) : scopes;
  return format.list(named.map((scope) => t(`scopes.${scope}`)));
}

/** Shows how a key is limited. */
export function KeyAccess({ apiKey: { scopes, networks } }: { apiKey: ApiKey }) {
  const t = useTranslations('apiKeys');
  const mayAll = hasTillScopes(scopes);
  const named = mayAll ? otherScopes(scopes) : scopes;
  if (mayAll && named.length === 0 && networks.length === 0) {
    return (
      <span data-quiet className="text-muted">
        {t('scopes.all')}
      </span>
    );
  }
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {scopes.length === 0 ? <Badge>{t('scopes.read')}</Badge> : null}
      {mayAll ? <Badge>{t('scopes.all')}</Badge> : null}
      {named.map((scope) => (
        <Badge key={scope}>{t(`scopes.${scope}`)}</Badge>
      ))}
      {networks.length === 0 ? null : <Badge>{t('networkCount', { count: networks.length })}</Badge>}
    </span>
  );
}
