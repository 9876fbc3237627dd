import type { inferRouterOutputs } from '@trpc/server';
import { useFormatter, useTranslations } from 'next-intl';
import { keyScopes } from '@/server/domain/merchants/schemas';
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

/** Names what a key may do. */
export function KeyScopes({ apiKey: { scopes } }: { apiKey: ApiKey }) {
  const t = useTranslations('apiKeys');
  const format = useFormatter();
  if (scopes.length === 0) return t('scopes.read');
  if (scopes.length === keyScopes.length) return t('scopes.all');
  return format.list(scopes.map((scope) => t(`scopes.${scope}`)));
}

/** Shows how a key is limited. */
export function KeyAccess({ apiKey: { scopes, networks } }: { apiKey: ApiKey }) {
  const t = useTranslations('apiKeys');
  const mayAll = scopes.length === keyScopes.length;
  if (mayAll && networks.length === 0) {
    return (
      <span data-quiet className="text-muted">
        {t('scopes.all')}
      </span>
    );
  }
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {scopes.length === 0 ? <Badge>{t('scopes.read')}</Badge> : null}
      {mayAll ? null : scopes.map((scope) => <Badge key={scope}>{t(`scopes.${scope}`)}</Badge>)}
      {networks.length === 0 ? null : <Badge>{t('networkCount', { count: networks.length })}</Badge>}
    </span>
  );
}
