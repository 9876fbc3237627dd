'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useState } from 'react';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { Switch } from '../ui/switch';
import { useTRPC } from './trpc';

/** What the switch does, told before it is done. */
const effects = {
  on: 'From the next request on, every redemption of stored value, vouchers and points at your tills needs the customer’s 4-digit PIN. Customers without a PIN can not redeem until your till has sent them one (“forgot PIN”).',
  off: 'From the next request on, your tills redeem stored value, vouchers and points without asking for a PIN.',
};

function usePinSetting() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { queryKey } = trpc.settings.get.queryOptions();
  const settings = useQuery(trpc.settings.get.queryOptions());
  const change = useMutation(
    trpc.settings.setPinRequired.mutationOptions({
      onMutate: async ({ pinRequired }) => {
        await queryClient.cancelQueries({ queryKey });
        const before = queryClient.getQueryData(queryKey);
        queryClient.setQueryData(queryKey, (now) => now && { ...now, pinRequired });
        return { before };
      },
      onError: (_error, _input, shown) => queryClient.setQueryData(queryKey, shown?.before),
      onSettled: () => queryClient.invalidateQueries({ queryKey }),
    }),
  );
  useSubscription(
    trpc.changes.subscriptionOptions(undefined, {
      // After a cut, what was missed is fetched.
      onStarted: () => queryClient.invalidateQueries({ queryKey }),
      onData: (topic) => topic === 'settings' && queryClient.invalidateQueries({ queryKey }),
    }),
  );
  return { settings, change };
}

export function PinSetting() {
  const { settings, change } = usePinSetting();
  const [asked, setAsked] = useState<boolean | null>(null);

  if (settings.isError) {
    return (
      <div role="alert" className="flex flex-wrap items-center justify-between gap-4 border-y border-line py-6">
        <p>The settings could not be loaded.</p>
        <Button variant="secondary" onClick={() => settings.refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  return (
    <div className="border-y border-line py-6">
      <div className="flex items-start justify-between gap-6">
        <div className="min-w-0">
          <h3 id="pin-required" className="font-medium">
            PIN required for redemption
          </h3>
          <p id="pin-required-help" className="mt-1 max-w-xl leading-relaxed text-muted">
            Customers prove with their 4-digit PIN that stored value, vouchers and points are theirs.
            {settings.data?.canEdit === false ? ' Only an owner can switch this.' : ''}
          </p>
        </div>
        {settings.data ? (
          <Switch
            checked={settings.data.pinRequired}
            onChange={setAsked}
            disabled={!settings.data.canEdit}
            labelledBy="pin-required"
            describedBy="pin-required-help"
          />
        ) : (
          <span
            role="status"
            className="h-8 w-14 shrink-0 animate-pulse rounded-full bg-tint motion-reduce:animate-none"
          >
            <span className="sr-only">Loading</span>
          </span>
        )}
      </div>
      <p role="alert" className="mt-3 text-sm text-danger empty:hidden">
        {change.isError ? `Not saved: ${change.error.message} The switch is back where it was.` : ''}
      </p>
      <ConfirmDialog
        open={asked !== null}
        title={asked ? 'Require the PIN?' : 'Stop requiring the PIN?'}
        confirmLabel={asked ? 'Require the PIN' : 'Stop requiring it'}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          if (asked !== null) change.mutate({ pinRequired: asked });
          setAsked(null);
        }}
      >
        {asked ? effects.on : effects.off}
      </ConfirmDialog>
    </div>
  );
}
