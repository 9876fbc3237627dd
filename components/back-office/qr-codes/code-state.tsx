import { useTranslations } from 'next-intl';
import { Badge, type Tone } from '../../ui/badge';

type State = 'active' | 'invalidated' | 'expired';

const tones: Record<State, Tone> = { active: 'good', invalidated: 'neutral', expired: 'caution' };

export function CodeState({ status }: { status: State }) {
  return <Badge tone={tones[status]}>{useTranslations('qrCodes')(status)}</Badge>;
}
