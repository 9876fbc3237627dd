import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
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

/** Shows how a key is limited. */
export function KeyAccess({ apiKey: { scope, networks } }: { apiKey: ApiKey }) {
  const t = useTranslations('apiKeys');
  if (scope === 'all' && networks.length === 0) {
    return (
      <span data-quiet className="text-muted">
        {t('scopes.all')}
      </span>
    );
  }
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {scope === 'all' ? null : <Badge>{t(`scopes.${scope}`)}</Badge>}
      {networks.length === 0 ? null : <Badge>{t('networkCount', { count: networks.length })}</Badge>}
    </span>
  );
}
