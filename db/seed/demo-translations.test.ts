import { expect, test } from 'vitest';
import { menuLanguages } from '../kinds/lists';
import { demoMerchants } from './demo-data';
import { translatedName } from './demo-translations';

test('the demo’s menus, packages and vouchers have names in all of diners’ languages', () => {
  for (const { menu, optionGroups, packages, locale } of demoMerchants) {
    const names = [
      ...Object.entries(menu).flatMap(([category, items]) => [category, ...items.map(([, name]) => name)]),
      ...optionGroups.flatMap(({ name, options }) => [name, ...options.map(([option]) => option)]),
      ...packages.map(({ name }) => name),
    ];
    const languages = menuLanguages.filter((language) => !locale.startsWith(language));
    for (const name of names) expect(Object.keys(translatedName(name)).sort(), name).toEqual([...languages].sort());
  }
});
