'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { Badge } from '../../ui/badge';
import { ButtonLink } from '../../ui/button';
import { PageHeader } from '../../ui/page-header';
import { Section } from '../../ui/section';
import { useTRPC } from '../shell/trpc';
import { Waiting } from '../state/loaded';
import { ClockSetting } from './clock-setting';
import { CustomersSetting } from './customers-setting';
import { LogoSetting } from './logo-setting';
import { PinSetting } from './pin-setting';
import { PointsSetting } from './points-setting';
import { ProfileSetting } from './profile-setting';
import { TaxSetting } from './tax-setting';

export function SettingsScreen() {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const { data: settings, error, refetch } = useQuery(trpc.settings.get.queryOptions());
  return (
    <div className="max-w-3xl">
      <PageHeader
        title={t('title')}
        description={settings?.canEdit === false ? t('descriptionReadOnly') : t('description')}
      />
      {settings ? (
        <div className="flex flex-col gap-6">
          <Section title={t('redemption')}>
            <PinSetting pinRequired={settings.pinRequired} canEdit={settings.canEdit} />
          </Section>
          <Section title={t('business')} description={t('businessText')}>
            <ProfileSetting settings={settings} />
          </Section>
          <Section title={t('logo')} description={t('logoText')}>
            <LogoSetting settings={settings} />
          </Section>
          <Section title={t('tax')} description={t('taxText')}>
            <TaxSetting settings={settings} />
          </Section>
          <Section title={t('points')} description={t('pointsText')}>
            <PointsSetting settings={settings} />
          </Section>
          <Section title={t('customers')}>
            <CustomersSetting settings={settings} />
          </Section>
          {settings.hasOwnClock ? (
            <Section title={t('clock')} description={t('clockText')}>
              <ClockSetting canEdit={settings.canEdit} />
            </Section>
          ) : null}
          <WhatsappState isConnected={settings.messenger === 'whatsapp'} />
        </div>
      ) : (
        <Waiting error={error} refetch={refetch} />
      )}
    </div>
  );
}

function WhatsappState({ isConnected }: { isConnected: boolean }) {
  const t = useTranslations('settings');
  return (
    <Section title={t('whatsapp')} description={isConnected ? t('whatsappConnectedText') : t('whatsappInboxText')}>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <Badge tone={isConnected ? 'good' : 'caution'}>
          {isConnected ? t('whatsappConnected') : t('whatsappInbox')}
        </Badge>
        <ButtonLink href="/messages" variant="secondary" size="small">
          {t('openMessages')}
        </ButtonLink>
      </div>
    </Section>
  );
}
