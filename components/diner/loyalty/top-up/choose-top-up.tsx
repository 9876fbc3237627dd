'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { randomId } from '@/components/diner/random-id';
import { fillText, type TopUpWords } from '@/components/diner/words';
import { parseAmount } from '@/components/form/parse-amount';
import { Alert } from '@/components/ui/alert';
import { Field } from '@/components/ui/field';
import { minorDigits, percentageOf } from '@/server/domain/kernel/money';
import type { StoredValuePackage } from '@/server/domain/stored-value';
import type { TopUpOffers } from '@/server/domain/top-ups';
import { useLoyalty } from '../loyalty-context';
import { SubmitButton } from '../submit-button';
import { useSending } from '../use-sending';
import { Choice } from './choice';
import { OfferList } from './offer-list';

type Method = TopUpOffers['methods'][number];

interface ChooseTopUpProps extends Pick<TopUpOffers, 'packages' | 'methods'> {
  words: TopUpWords;
}

/**
 * Chooses a package and a payment method, and starts the top-up. Asks before it replaces an open code for the counter.
 */
export function ChooseTopUp({ words, packages, methods }: ChooseTopUpProps) {
  const [packageId, setPackageId] = useState(packages[0]?.packageId ?? null);
  const [method, setMethod] = useState<Method>(methods[0] ?? 'counter');
  const [typed, setTyped] = useState('');
  const [isAmountWrong, setAmountWrong] = useState(false);
  const amountField = useRef<HTMLInputElement>(null);
  const { isBusy, begin, refusal, hasOpenCode } = useBegin(words);
  const { merchant, money, words: common } = useLoyalty();
  const offer = packages.find((one) => one.packageId === packageId);
  if (!offer) return <p className="mt-6 leading-relaxed text-muted">{words.none}</p>;
  const amount = offer.amount ?? readAmount(typed, offer, merchant.currency);
  const replacesCode = hasOpenCode && method === 'counter';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAmountWrong(amount === null);
    if (amount === null) amountField.current?.focus();
    else
      begin({ packageId: offer.packageId, amount: offer.kind === 'open' ? amount : undefined, method, replacesCode });
  };
  const byCard = amount === null ? words.byCard : fillText(words.payByCard, { amount: money(amount) });
  return (
    <form method="post" noValidate className="mt-6 space-y-8" onSubmit={submit}>
      <OfferList words={words} offers={packages} chosen={offer.packageId} onChoose={setPackageId} />
      {offer.kind === 'open' ? (
        <Field
          ref={amountField}
          name="amount"
          inputMode={minorDigits(merchant.currency) > 0 ? 'decimal' : 'numeric'}
          autoComplete="off"
          maxLength={20}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          start={merchant.currency}
          label={words.amount}
          hint={amount === null ? rangeOf(words.range, offer, money) : receivedText(words, offer, amount, money)}
          error={isAmountWrong && amount === null ? rangeOf(words.amountWrong, offer, money) : null}
        />
      ) : null}
      {methods.length > 1 ? <MethodChoice words={words} chosen={method} onChoose={setMethod} /> : null}
      {methods.length > 1 ? null : <p className="leading-relaxed text-muted">{words.atCounterHint}</p>}
      {refusal ? (
        <Alert tone="danger" title={common.refusedTitle}>
          {refusal}
        </Alert>
      ) : null}
      {replacesCode ? (
        <Alert tone="caution" title={words.replaceTitle}>
          {words.replaceText}
        </Alert>
      ) : null}
      <SubmitButton isBusy={isBusy}>
        {replacesCode ? words.replaceCode : method === 'counter' ? words.getCode : byCard}
      </SubmitButton>
    </form>
  );
}

function MethodChoice({
  words,
  chosen,
  onChoose,
}: {
  words: TopUpWords;
  chosen: Method;
  onChoose: (method: Method) => void;
}) {
  const texts = {
    card: [words.byCard, words.byCardHint],
    counter: [words.atCounter, words.atCounterHint],
  } as const;
  return (
    <fieldset className="space-y-3">
      <legend className="mb-3 font-medium">{words.method}</legend>
      {(['card', 'counter'] as const).map((method) => (
        <Choice key={method} name="method" isChosen={method === chosen} onChoose={() => onChoose(method)}>
          <span className="block font-medium">{texts[method][0]}</span>
          <span className="mt-0.5 block text-sm text-muted">{texts[method][1]}</span>
        </Choice>
      ))}
    </fieldset>
  );
}

interface Choices {
  packageId: string;
  amount: number | undefined;
  method: Method;
  replacesCode: boolean;
}

/** Starts a top-up once per choice, however often it is sent, and opens its payment page. */
function useBegin(words: TopUpWords) {
  const { client, merchant } = useLoyalty();
  const router = useRouter();
  const { isBusy, refusal, send } = useSending();
  const hasOpenCode = refusal?.reason === 'counter_code_open';
  const last = useRef({ choices: '', requestKey: '' });
  const begin = (choices: Choices) =>
    send(async () => {
      const serialized = JSON.stringify(choices);
      if (last.current.choices !== serialized) last.current = { choices: serialized, requestKey: randomId() };
      const { requestKey } = last.current;
      const { topUpRequestId, checkoutUrl } = await client.topUps.begin.mutate({ ...choices, requestKey });
      if (checkoutUrl !== null) location.assign(checkoutUrl);
      else router.push(`/loyalty/${merchant.id}/top-up/${topUpRequestId}`);
    });
  const texts: Record<string, string> = {
    balance_limit_exceeded: words.limitReached,
    limit_exceeded: words.dailyLimitReached,
    customer_blocked: words.onHold,
    card_payment_unavailable: words.noCard,
    package_not_found: words.offerGone,
    invalid_request: words.offerGone,
    service_unavailable: words.away,
  };
  // After the browser's Back, the page may be older than the code or the payment that was begun.
  const isOutdated = hasOpenCode || refusal?.reason === 'limit_exceeded';
  useEffect(() => {
    if (isOutdated) router.refresh();
  }, [isOutdated, router]);
  useEffect(() => {
    const refresh = (event: PageTransitionEvent) => event.persisted && router.refresh();
    addEventListener('pageshow', refresh);
    return () => removeEventListener('pageshow', refresh);
  }, [router]);
  const text = refusal && !hasOpenCode ? (texts[refusal.reason ?? ''] ?? refusal.text) : null;
  return { isBusy, begin, hasOpenCode, refusal: text };
}

type Money = (amount: number) => string;

function readAmount(typed: string, { minAmount, maxAmount }: StoredValuePackage, currency: string): number | null {
  const amount = parseAmount(typed, minorDigits(currency));
  return amount !== null && amount >= (minAmount ?? 0) && amount <= (maxAmount ?? 0) ? amount : null;
}

const rangeOf = (text: string, { minAmount, maxAmount }: StoredValuePackage, money: Money) =>
  fillText(text, { least: money(minAmount ?? 0), most: money(maxAmount ?? 0) });

const receivedText = (words: TopUpWords, { bonusPercent }: StoredValuePackage, amount: number, money: Money) =>
  fillText(words.receive, { amount: money(amount + percentageOf(amount, Math.round((bonusPercent ?? 0) * 100))) });
