import { useTranslations } from 'next-intl';
import { staffTopUpInput } from '@/server/domain/top-ups/schemas';
import { RadioField, SelectField } from '../../form/fields';

/** Chooses the store at whose counter money changes hands. Shows nothing if there is only one. */
export function CounterStoreField({ stores }: { stores: { storeId: string; name: string }[] }) {
  const t = useTranslations('common');
  if (stores.length < 2) return null;
  return (
    <SelectField
      name="storeId"
      label={t('store')}
      options={stores.map((store) => ({ value: store.storeId, label: store.name }))}
    />
  );
}

export function PaymentMethodField({ label }: { label: string }) {
  const t = useTranslations('counter');
  return (
    <RadioField
      name="paymentMethod"
      isShort
      label={label}
      options={staffTopUpInput.shape.paymentMethod.options.map((value) => ({
        value,
        label: t(`paymentMethods.${value}`),
      }))}
    />
  );
}
