'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge';
import { ButtonLink } from '../../ui/button';
import { PageHeader } from '../../ui/page-header';
import { Section } from '../../ui/section';
import { Tabs } from '../../ui/tabs';
import { FileLink } from '../lists/data-list';
import { useIsRole } from '../office/office';
import { useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { BrandSetting } from './brand-setting';
import { CardPaymentsSetting } from './card-payments-setting';
import { ClockSetting } from './clock-setting';
import { CodesSetting } from './codes-setting';
import { CustomersSetting } from './customers-setting';
import { LimitsSetting } from './limits-setting';
import { LogoSetting } from './logo-setting';
import { OrdersSetting } from './orders-setting';
import { PinSetting } from './pin-setting';
import { PointsSetting } from './points-setting';
import { ProfileSetting } from './profile-setting';
import { TableSettings } from './table-settings';
import { TaxSetting } from './tax-setting';
import { TillsSetting } from './tills-setting';
import type { Settings } from './types';

export function SettingsScreen() {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const { data: settings, error, refetch } = useQuery(trpc.settings.get.queryOptions());
  return (
    <>
      <PageHeader
        title={t('title')}
        description={settings?.canEdit === false ? t('descriptionReadOnly') : t('description')}
      />
      {settings ? <SettingsTabs settings={settings} /> : <Waiting error={error} refetch={refetch} />}
    </>
  );
}

const tabs = [
  'redemption',
  'business',
  'tables',
  'cardPayments',
  'tax',
  'points',
  'customers',
  'limits',
  'whatsapp',
  'clock',
] as const;

/**
 * The settings by topic. Each tab has its own address and save button, and keeps what was typed while another one is
 * shown.
 */
function SettingsTabs({ settings }: { settings: Settings }) {
  const t = useTranslations('settings');
  const isOwner = useIsRole('owner');
  const [tab, setTab] = useQueryState('section', parseAsStringLiteral(tabs).withDefault('redemption'));
  const panels: Record<(typeof tabs)[number], ReactNode> = {
    redemption: (
      <Section title={t('redemption')}>
        <PinSetting pinRequired={settings.pinRequired} changedAt={settings.pinChangedAt} canEdit={settings.canEdit} />
      </Section>
    ),
    business: (
      <div className="flex flex-col gap-6">
        <Section title={t('business')} description={t('businessText')}>
          <ProfileSetting settings={settings} />
        </Section>
        <Section title={t('logo')} description={t('logoText')}>
          <LogoSetting settings={settings} />
        </Section>
        <Section title={t('brand')} description={t('brandText')}>
          <BrandSetting settings={settings} />
        </Section>
        <Section title={t('orders')} description={t('ordersText')}>
          <OrdersSetting settings={settings} />
        </Section>
        <Section title={t('tills')} description={t('tillsText')}>
          <TillsSetting settings={settings} />
        </Section>
        {isOwner ? (
          <Section title={t('data')} description={t('dataText')}>
            <FileLink list="business" filters={{}} label={t('downloadData')} format={null} isSensitive />
          </Section>
        ) : null}
      </div>
    ),
    tables: <TableSettings canEdit={settings.canEdit} />,
    cardPayments: <CardPaymentsSetting />,
    tax: (
      <Section title={t('tax')} description={t('taxText')}>
        <TaxSetting settings={settings} />
      </Section>
    ),
    points: (
      <Section title={t('points')} description={t('pointsText')}>
        <PointsSetting settings={settings} />
      </Section>
    ),
    customers: (
      <Section title={t('customers')}>
        <CustomersSetting settings={settings} />
      </Section>
    ),
    limits: (
      <div className="flex flex-col gap-6">
        <LimitsSetting settings={settings} />
        <Section title={t('codes')} description={t('codesText')}>
          <CodesSetting settings={settings} />
        </Section>
      </div>
    ),
    whatsapp: <WhatsappState isConnected={settings.messenger === 'whatsapp'} />,
    clock: settings.hasOwnClock ? (
      <Section title={t('clock')} description={t('clockText')}>
        <ClockSetting canEdit={settings.canEdit} />
      </Section>
    ) : null,
  };
  const shown = tabs.filter((value) => panels[value] !== null);
  return (
    <Tabs
      label={t('title')}
      value={shown.find((value) => value === tab) ?? 'redemption'}
      onChange={(next) => void setTab(next)}
      keepsPanels
      tabs={shown.map((value) => ({
        value,
        label: t(`tabs.${value}`),
        panel: <div className="max-w-3xl">{panels[value]}</div>,
      }))}
    />
  );
}

function WhatsappState({ isConnected }: { isConnected: boolean }) {
  const t = useTranslations('settings');
  const isManager = useIsRole('owner', 'manager');
  return (
    <Section title={t('whatsapp')} description={isConnected ? t('whatsappConnectedText') : t('whatsappInboxText')}>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <Badge tone={isConnected ? 'good' : 'caution'}>
          {isConnected ? t('whatsappConnected') : t('whatsappInbox')}
        </Badge>
        {isManager ? (
          <ButtonLink href="/messages" variant="secondary" size="small">
            {t('openMessages')}
          </ButtonLink>
        ) : null}
      </div>
    </Section>
  );
}
