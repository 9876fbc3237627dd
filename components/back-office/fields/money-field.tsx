'use client';

import { minorDigits } from '@/server/domain/kernel/money';
import { DecimalField, type FieldProps } from '../../form/fields';
import { withoutCurrency } from '../../form/parse-amount';
import { useOffice } from '../office/office';

/** An amount in the merchant's currency, with a value in minor units. */
export function MoneyField(props: FieldProps) {
  const { currency } = useOffice().merchant;
  const withoutUnit = (text: string) => withoutCurrency(text, currency);
  return <DecimalField {...props} digits={minorDigits(currency)} start={currency} withoutUnit={withoutUnit} />;
}
