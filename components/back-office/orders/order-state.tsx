import { useTranslations } from 'next-intl';
import type { OrderStatus } from '@/server/domain/qr-ordering';
import { Badge, type Tone } from '../../ui/badge';

const tones: Record<OrderStatus, Tone> = {
  placed: 'caution',
  accepted: 'neutral',
  ready: 'good',
  served: 'neutral',
  cancelled: 'danger',
};

export function OrderState({ status }: { status: OrderStatus }) {
  return <Badge tone={tones[status]}>{useTranslations('orders')(status)}</Badge>;
}
