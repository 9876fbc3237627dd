'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { noticeKind } from '@/server/domain/messaging/schemas';
import { dinerLanguages } from '../../diner/words';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { PageHeader } from '../../ui/page-header';
import { Section } from '../../ui/section';
import { useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { QuietHoursSetting } from './quiet-hours-setting';
import { type Template, TemplateDialog } from './template-dialog';

/** The notices that customers get: their texts, and when they are sent. */
export function TemplatesScreen() {
  const t = useTranslations('messages');
  const { data, error, refetch } = useQuery(useTRPC().messages.templates.queryOptions());
  const [edited, setEdited] = useState<Template | null>(null);
  return (
    <div className="max-w-4xl">
      <PageHeader
        title={t('templates')}
        description={t('templatesText')}
        back={{ href: '/messages', label: t('title') }}
      />
      {data ? (
        <div className="flex flex-col gap-6">
          {noticeKind.options.map((kind) => (
            <Section key={kind} title={t(kind)} description={t(`${kind}-text`)}>
              <ul className="-mb-2">
                {data.templates
                  .filter((template) => template.kind === kind)
                  .map((template) => (
                    <TemplateRow key={template.language} template={template} onEdit={() => setEdited(template)} />
                  ))}
              </ul>
            </Section>
          ))}
          <QuietHoursSetting quietHours={data.quietHours} />
        </div>
      ) : (
        <Waiting error={error} refetch={refetch} />
      )}
      {edited ? <TemplateDialog template={edited} onClose={() => setEdited(null)} /> : null}
    </div>
  );
}

function TemplateRow({ template, onEdit }: { template: Template; onEdit: () => void }) {
  const t = useTranslations('messages');
  const tCommon = useTranslations('common');
  const { kind, language, templateName, body, isOn } = template;
  const name = dinerLanguages[language];
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line py-3.5">
      <div className="min-w-0 flex-1 basis-72 text-sm">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium" lang={language}>
            {name}
          </span>
          <Badge tone={isOn ? 'good' : 'neutral'}>{isOn ? t('on') : t('off')}</Badge>
          <span className="font-mono text-[0.8125rem] text-muted wrap-anywhere">{templateName}</span>
        </p>
        <p className="mt-1 leading-relaxed text-muted wrap-anywhere" lang={language}>
          {body}
        </p>
      </div>
      <Button
        variant="secondary"
        size="small"
        onClick={onEdit}
        aria-label={t('editOf', { language: name, kind: t(kind) })}
      >
        {tCommon('edit')}
      </Button>
    </li>
  );
}
