'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog';
import { Tabs } from '../../ui/tabs';
import { useIsGeneralManager } from '../office/office';
import { IssueToCustomer } from './issue-to-customer';
import { IssueToList } from './issue-to-list';
import { IssueToSegment } from './issue-to-segment';

interface IssueDialogProps {
  campaignId: string;
  name: string;
  /** How many more vouchers the campaign's limit allows; null for no limit. */
  left: number | null;
  onClose: () => void;
}

/** Issues vouchers manually: to one customer, or for all stores to a pasted list or a segment. */
export function IssueDialog({ campaignId, name, left, onClose }: IssueDialogProps) {
  const t = useTranslations('vouchers');
  const [audience, setAudience] = useState<'one' | 'list' | 'segment'>('one');
  const isGeneral = useIsGeneralManager();
  const props = { campaignId, onDone: onClose };
  return (
    <Dialog open onClose={onClose} title={t('issueTitle', { name })}>
      {left === null ? null : <p className="mb-4 text-sm text-muted">{t('issuesLeft', { count: left })}</p>}
      {isGeneral ? (
        <Tabs
          label={t('issueTo')}
          value={audience}
          onChange={setAudience}
          keepsPanels
          tabs={[
            { value: 'one', label: t('toOne'), panel: <IssueToCustomer {...props} /> },
            { value: 'list', label: t('toList'), panel: <IssueToList {...props} /> },
            { value: 'segment', label: t('toSegment'), panel: <IssueToSegment {...props} /> },
          ]}
        />
      ) : (
        <IssueToCustomer {...props} />
      )}
    </Dialog>
  );
}
