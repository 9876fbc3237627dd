import { expect, test } from 'vitest';
import { profileInput } from '@/server/domain/customers/schemas';
import { languages } from '@/server/domain/kernel/context';
import { itemInput, optionGroupInput } from '@/server/domain/menu/schemas';
import {
  changeSettingsInput,
  setKeyAccessInput,
  setPinRequiredInput,
  storeDetails,
} from '@/server/domain/merchants/schemas';
import { changeOrderingSettingsInput } from '@/server/domain/qr-ordering/schemas';
import { packageInput } from '@/server/domain/stored-value/schemas';
import { campaignInput } from '@/server/domain/vouchers/campaign-schemas';
import { translatorFor } from '@/server/intl/translator';
import { fieldLabels, labelOf } from './field-labels';

const fieldsOf = ({ shape }: { shape: object }) => Object.keys(shape);
/** Fields without their own label in their edit form. */
const unnamed = ['value', 'segment'];

test.each([
  ['merchant', [changeSettingsInput, setPinRequiredInput, changeOrderingSettingsInput].flatMap(fieldsOf)],
  ['customer', fieldsOf(profileInput)],
  ['store', fieldsOf(storeDetails)],
  ['apiKey', fieldsOf(setKeyAccessInput).filter((field) => field !== 'apiKeyId')],
  ['package', packageInput.options.flatMap(fieldsOf)],
  ['campaign', fieldsOf(campaignInput).filter((field) => !unnamed.includes(field))],
  ['menuItem', fieldsOf(itemInput)],
  ['menuOptionGroup', fieldsOf(optionGroupInput)],
])('each field of a %s is called what its form calls it', (kind, fields) => {
  expect(fields.filter((field) => labelOf(kind, field) === null)).toEqual([]);
});

test('a field with another meaning on another subject has another label', () => {
  expect(labelOf('package', 'amount')).toBe('packages.amount');
  expect(labelOf('customer', 'amount')).toBe('customers.amount');
  expect(labelOf('order', 'amount')).toBeNull();
  expect(labelOf('menu', 'toString')).toBeNull();
});

test('each label is a text without placeholders, in every language', () => {
  for (const language of languages) {
    const t = translatorFor(language);
    for (const label of Object.values(fieldLabels)) expect(t(label)).not.toMatch(/[{}]|^\w+\.\w+$/);
  }
});
