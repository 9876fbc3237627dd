'use client';

import { useTranslations } from 'next-intl';
import { useId } from 'react';
import { brandRules } from '@/server/domain/merchants/schemas';
import { brandColours } from '../../diner/brand-sheet';
import { TextField } from '../../form/fields';
import { Form } from '../../form/form';
import { useField } from '../../form/use-field';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import { Facts } from '../../ui/facts';
import { describedBy, FieldFrame } from '../../ui/field';
import type { Settings } from './types';
import { useSettingsForm } from './use-settings-form';

/** The colour and the welcome of diners' pages. */
export function BrandSetting({ settings }: { settings: Settings }) {
  const t = useTranslations('settings');
  const { accentColour, welcome, canEdit } = settings;
  const { form, save } = useSettingsForm(brandRules, { accentColour, welcome });
  if (!canEdit) {
    return (
      <Facts
        items={[
          { term: t('accentColour'), value: accentColour ?? t('ownColour') },
          { term: t('welcome'), value: welcome ?? t('none') },
        ]}
      />
    );
  }
  return (
    <Form form={form} onSave={save} savedMessage={t('saved')} isOneOfSeveral>
      <ColourField name="accentColour" label={t('accentColour')} hint={t('accentColourHint')} />
      <TextField name="welcome" label={t('welcome')} hint={t('welcomeHint')} autoComplete="off" optional />
    </Form>
  );
}

/** A colour, `#rrggbb`, or null. Shows how it looks on a light and a dark phone. */
function ColourField({ name, label, hint }: { name: string; label: string; hint: string }) {
  const t = useTranslations('settings');
  const { field, error } = useField(name);
  const id = useId();
  const colour: string | null = field.value ?? null;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <div className="flex flex-wrap items-center gap-3">
        <input
          {...field}
          id={id}
          type="color"
          value={colour ?? '#0e573b'}
          {...describedBy(id, { hint, error })}
          className="h-11 w-16 cursor-pointer rounded-lg border border-edge bg-surface p-1"
        />
        {colour === null ? (
          <span className="text-sm text-muted">{t('ownColour')}</span>
        ) : (
          <>
            <Samples colour={colour} />
            <Button variant="quiet" size="small" onClick={() => field.onChange(null)}>
              {t('removeColour')}
            </Button>
          </>
        )}
      </div>
    </FieldFrame>
  );
}

/** A button as on a guest's phone, light and dark. */
function Samples({ colour }: { colour: string }) {
  const t = useTranslations('settings');
  return Object.entries(brandColours(colour)).map(([scheme, colours]) => (
    <span
      key={scheme}
      aria-hidden="true"
      className={classNames('rounded-lg border border-line p-1.5', scheme === 'light' ? 'bg-white' : 'bg-[#0b130f]')}
    >
      <span
        className="block rounded-md px-3 py-1 text-sm font-medium"
        style={{ background: colours.accent, color: colours['on-accent'] }}
      >
        {t('colourSample')}
      </span>
    </span>
  ));
}
