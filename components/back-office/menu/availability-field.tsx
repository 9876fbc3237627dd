import { useTranslations } from 'next-intl';
import { Section } from '../../ui/section';
import { StoresField } from '../fields/stores-field';

export function AvailabilityField() {
  const t = useTranslations('menu');
  return (
    <Section title={t('soldAt')}>
      <div className="flex flex-col gap-4">
        <StoresField hint={t('soldEverywhereHint')} />
      </div>
    </Section>
  );
}
