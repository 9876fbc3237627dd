import { useEffect, useState } from 'react';
import type { CartBenefits as Benefits } from '@/server/domain/diners';
import type { DinerClient } from '../diner-client';
import { fillText, formFor } from '../words';
import type { CheckedCart } from './cart/check-cart';
import { useSpeech } from './table-context';

/** Several quick changes of a quantity cause one request. */
const pauseMs = 300;

/** The points that the cart earns its customer, and the vouchers that fit it. Loaded for signed-in diners. */
export default function CartBenefits({ client, checked }: { client: DinerClient; checked: CheckedCart }) {
  const { words, language, money } = useSpeech();
  const [benefits, setBenefits] = useState<Benefits | null>(null);
  const wanted = checked.ready.map(({ line: { plu, quantity }, unitPrice }) => ({ plu, quantity, unitPrice }));
  const text = JSON.stringify(wanted);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const lines: typeof wanted = JSON.parse(text);
    const ask = () => client.cart.benefits.query({ lines, language }, { signal }).then(setBenefits, () => {});
    const timer = lines.length > 0 ? setTimeout(ask, pauseMs) : undefined;
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, text, language]);
  if (!benefits || wanted.length === 0) return null;
  const { earnsPoints, vouchers } = benefits;
  if (earnsPoints === 0 && vouchers.length === 0) return null;
  return (
    <section aria-label={words.account} className="rounded-xl bg-tint p-4 text-[0.9375rem]/6">
      {earnsPoints > 0 ? (
        <p className="font-medium text-accent">
          {fillText(formFor(words.earnsPoints, earnsPoints, language), { count: earnsPoints })}
        </p>
      ) : null}
      {vouchers.length > 0 ? (
        <>
          <p className="mt-1 first:mt-0">{words.vouchersFit}</p>
          <ul>
            {vouchers.map(({ voucherCode, name, amount }) => (
              <li key={voucherCode} className="flex justify-between gap-4">
                <span className="wrap-anywhere">{name}</span>
                <span className="shrink-0 tabular-nums">{fillText(words.minus, { price: money(amount) })}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}
