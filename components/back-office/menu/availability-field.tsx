import { useTranslations } from 'next-intl';
import { StoresField } from '../../form/stores-field';
import { Section } from '../../ui/section';

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
