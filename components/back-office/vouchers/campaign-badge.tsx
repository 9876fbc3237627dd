import { useTranslations } from 'next-intl';
import { Badge } from '../../ui/badge';
import type { Campaign } from './types';

const tones = {
  running: 'good',
  scheduled: 'neutral',
  paused: 'caution',
  ended: 'neutral',
  archived: 'neutral',
} as const;

export function CampaignBadge({ status }: Pick<Campaign, 'status'>) {
  return <Badge tone={tones[status]}>{useTranslations('vouchers')(status)}</Badge>;
}
