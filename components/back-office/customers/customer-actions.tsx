'use client';

import { Menu } from '@base-ui/react/menu';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useState } from 'react';
import { displayName } from '@/server/domain/identity/rules';
import { Button } from '../../ui/button';
import { menuItemLook, menuLook } from '../../ui/menu';
import { CashOutDialog } from '../counter/cash-out-dialog';
import { IssueVoucherDialog } from '../counter/issue-voucher-dialog';
import { TopUpDialog } from '../counter/top-up-dialog';
import { useIsGeneralManager, useIsRole } from '../office/office';
import { useTRPC } from '../office/trpc';
import { useChange } from '../state/use-change';
import { AdjustDialog } from './adjust-dialog';
import { BlockDialog } from './block-dialog';
import { EditDialog } from './edit-dialog';
import { EraseDialog } from './erase-dialog';
import { MergeDialog } from './merge-dialog';
import { SendPinDialog } from './send-pin-dialog';
import type { CustomerDetail } from './types';

type Task = 'topUp' | 'cashOut' | 'issue' | 'adjust' | 'edit' | 'sendPin' | 'block' | 'merge' | 'erase';

/** The actions that a link can open. */
export const linkedTasks = ['topUp'] as const;

/** The actions on a customer that the person's role allows. */
export function CustomerActions({ detail }: { detail: CustomerDetail }) {
  const t = useTranslations('customers');
  const tCounter = useTranslations('counter');
  const tCommon = useTranslations('common');
  const isManager = useIsRole('owner', 'manager');
  const givesVouchers = useGivesVouchers() && !detail.blocked;
  const [linked, setLinked] = useQueryState('task', parseAsStringLiteral(linkedTasks));
  const [task, setTask] = useState<Task | null>(linked);
  const close = () => {
    setTask(null);
    if (linked) void setLinked(null);
  };
  const canSendPin = detail.customer.phone !== null;
  return (
    <>
      {isManager ? (
        <>
          <MoreActions detail={detail} canSendPin={canSendPin} onChoose={setTask} />
          <Button variant="secondary" size="small" onClick={() => setTask('edit')}>
            {tCommon('edit')}
          </Button>
          <Button variant="secondary" size="small" onClick={() => setTask('adjust')}>
            {t('adjust')}
          </Button>
        </>
      ) : (
        <>
          {canSendPin ? (
            <Button variant="secondary" size="small" onClick={() => setTask('sendPin')}>
              {t('sendPin')}
            </Button>
          ) : null}
          {givesVouchers ? (
            <Button variant="secondary" size="small" onClick={() => setTask('issue')}>
              {tCounter('issueVoucher')}
            </Button>
          ) : null}
        </>
      )}
      <Button size="small" onClick={() => setTask('topUp')}>
        {tCounter('topUp')}
      </Button>
      {task === 'topUp' ? (
        <TopUpDialog customerId={detail.customer.customerId} balance={detail.storedValue.balance} onClose={close} />
      ) : null}
      {task === 'cashOut' ? <CashOutDialog customerId={detail.customer.customerId} onClose={close} /> : null}
      {task === 'issue' ? (
        <IssueVoucherDialog
          customerId={detail.customer.customerId}
          customerName={displayName(detail.customer)}
          onClose={close}
        />
      ) : null}
      {task === 'adjust' ? <AdjustDialog detail={detail} onClose={close} /> : null}
      {task === 'edit' ? <EditDialog detail={detail} onClose={close} /> : null}
      {task === 'block' ? <BlockDialog detail={detail} onClose={close} /> : null}
      {task === 'merge' ? <MergeDialog detail={detail} onClose={close} /> : null}
      {task === 'erase' ? <EraseDialog detail={detail} onClose={close} /> : null}
      <SendPinDialog detail={detail} open={task === 'sendPin'} onClose={close} />
    </>
  );
}

/** False for a cashier who may give none, by the merchant's limit. */
function useGivesVouchers(): boolean {
  const isCashier = useIsRole('cashier');
  const { data } = useQuery({ ...useTRPC().settings.get.queryOptions(), enabled: isCashier });
  return !isCashier || (data !== undefined && data.cashierDailyVouchers !== 0);
}

interface MoreActionsProps {
  detail: CustomerDetail;
  canSendPin: boolean;
  onChoose: (task: Task) => void;
}

function MoreActions({ detail: { customer, blocked }, canSendPin, onChoose }: MoreActionsProps) {
  const t = useTranslations('customers');
  const tCounter = useTranslations('counter');
  const isOwner = useIsRole('owner');
  const canMerge = useIsGeneralManager() && !blocked;
  const { toast, settle } = useChange('customers');
  const unblock = useMutation(
    useTRPC().customers.unblock.mutationOptions({ ...settle, onSuccess: () => toast.done(t('unblockedToast')) }),
  );
  return (
    <Menu.Root>
      <Menu.Trigger render={<Button variant="secondary" size="small" aria-label={t('actions')} />}>
        <Ellipsis className="size-4" aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="end" className="z-30 outline-none">
          <Menu.Popup className={menuLook}>
            {blocked ? null : (
              <>
                <Menu.Item className={menuItemLook} onClick={() => onChoose('issue')}>
                  {tCounter('issueVoucher')}
                </Menu.Item>
                <Menu.Item className={menuItemLook} onClick={() => onChoose('cashOut')}>
                  {tCounter('cashOut')}
                </Menu.Item>
              </>
            )}
            {canSendPin ? (
              <Menu.Item className={menuItemLook} onClick={() => onChoose('sendPin')}>
                {t('sendPin')}
              </Menu.Item>
            ) : null}
            {blocked ? (
              <Menu.Item className={menuItemLook} onClick={() => unblock.mutate({ customerId: customer.customerId })}>
                {t('unblock')}
              </Menu.Item>
            ) : (
              <Menu.Item className={menuItemLook} onClick={() => onChoose('block')}>
                {t('block')}
              </Menu.Item>
            )}
            {canMerge ? (
              <Menu.Item className={menuItemLook} onClick={() => onChoose('merge')}>
                {t('mergeWith')}
              </Menu.Item>
            ) : null}
            {isOwner ? (
              <>
                <Menu.Separator className="my-1.5 h-px bg-line" />
                <Menu.Item className={`${menuItemLook} text-danger`} onClick={() => onChoose('erase')}>
                  {t('erase')}
                </Menu.Item>
              </>
            ) : null}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
