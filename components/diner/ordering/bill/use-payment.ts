import { useCallback, useEffect, useRef, useState } from 'react';
import type { DinerClient } from '../../diner-client';
import { forgetPayment, keepPayment, readPayment } from '../paying';
import { startRefreshing } from '../use-table';
import type { DinerPayment } from './types';

/**
 * A webhook usually comes first and changes the bill's `version`. Otherwise the service asks Stripe, less and less
 * often.
 */
const pollMs = [2_500, 5_000, 15_000, 30_000, 60_000];

/** This phone's payment, with its id. */
export interface FollowedPayment extends DinerPayment {
  paymentId: string;
}

export const isUnderWay = ({ state }: Pick<DinerPayment, 'state'>) => state === 'open' || state === 'processing';
const isMissing = (error: unknown) => (error as { data?: { httpStatus?: number } }).data?.httpStatus === 404;

interface Followed {
  client: DinerClient;
  token: string;
  guestId: string;
  /** The payment that the bill shows as being made by this phone. */
  heldId: string | null;
  /** Changes with the bill: the payment may have arrived. */
  version: number;
}

/** Follows this phone's payment until its outcome is known, even after a return from Stripe's page. */
export function usePayment({ client, token, guestId, heldId, version }: Followed) {
  const [keptId, setKeptId] = useState(() => readPayment(token));
  const [payment, setPayment] = useState<FollowedPayment | null>(null);
  const paymentId = keptId ?? heldId;
  const isFollowed = paymentId !== null && (payment?.paymentId !== paymentId || isUnderWay(payment));

  const drop = useCallback(() => {
    forgetPayment(token);
    setKeptId(null);
  }, [token]);
  const show = useCallback(
    (now: FollowedPayment) => {
      setPayment(now);
      if (!isUnderWay(now)) drop();
    },
    [drop],
  );
  // After the browser's Back, the page may be in its former state.
  useEffect(() => {
    const readAgain = () => setKeptId(readPayment(token));
    addEventListener('pageshow', readAgain);
    return () => removeEventListener('pageshow', readAgain);
  }, [token]);

  const check = useRef(() => {});
  useEffect(() => {
    if (!isFollowed) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer: ReturnType<typeof setTimeout>;
    let checks = 0;
    const checkPayment = startRefreshing(
      async () => {
        try {
          const now = await client.bill.payment.mutate({ paymentId, guestId }, { signal });
          if (!signal.aborted) show({ ...now, paymentId });
        } catch (error) {
          if (!isMissing(error)) throw error;
          // The payment never started.
          if (!signal.aborted) drop();
        }
      },
      () => {
        clearTimeout(timer);
        timer = setTimeout(check.current, pollMs[Math.min(checks++, pollMs.length - 1)]);
      },
      signal,
    );
    // A hidden page checks once it is shown again, because the bill may have changed.
    check.current = () => void (document.visibilityState === 'visible' && checkPayment());
    check.current();
    return () => {
      leaving.abort();
      clearTimeout(timer);
      check.current = () => {};
    };
  }, [client, guestId, paymentId, isFollowed, show, drop]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed bill may mean that the payment has arrived
  useEffect(() => check.current(), [version]);

  return {
    /** Null without a payment. An outcome stays until another payment starts. */
    payment,
    show,
    /** Call it before a payment starts, because the page may be gone when the payment ends. */
    begin: (id: string) => keepPayment(token, id),
    /** Call it if the payment was refused at its start. */
    drop,
  };
}
