import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import type { StaffRouter } from '@/server/trpc/staff/router';
import { Badge, type Tone } from '../../ui/badge';

export type Endpoint = inferRouterOutputs<StaffRouter>['webhooks']['get'];
export type Delivery = inferRouterOutputs<StaffRouter>['webhooks']['deliveries']['items'][number];

const endpointTones = { enabled: 'good', failing: 'danger', paused: 'neutral', disabled: 'danger' } as const;

export function EndpointState({ endpoint: { state, failingSince } }: { endpoint: Endpoint }) {
  const t = useTranslations('webhooks');
  const shown = state === 'enabled' && failingSince ? 'failing' : state;
  return <Badge tone={endpointTones[shown]}>{t(shown)}</Badge>;
}

const deliveryTones: Record<Delivery['state'], Tone> = { pending: 'caution', delivered: 'good', failed: 'danger' };

export function DeliveryState({ delivery: { state } }: { delivery: Delivery }) {
  const t = useTranslations('webhooks');
  return <Badge tone={deliveryTones[state]}>{t(`states.${state}`)}</Badge>;
}

/** The HTTP status of the last attempt, or why there was no response. Empty before the first attempt. */
export function DeliveryResult({ delivery: { status, failure } }: { delivery: Delivery }) {
  const t = useTranslations('webhooks');
  if (failure) return <span>{t(`failures.${failure}`)}</span>;
  return status === null ? <span className="text-muted">–</span> : <span>HTTP {status}</span>;
}

/** An endpoint's address without the part that all addresses share. */
export const shortUrl = (url: string): string => url.replace(/^https:\/\//, '').replace(/\/$/, '');
