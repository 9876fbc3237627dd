import { BackToAccount } from '@/components/diner/loyalty/back-to-account';
import { Notice } from '@/components/diner/loyalty/notice';
import { PinForm } from '@/components/diner/loyalty/pin-form';
import { ScreenTitle } from '@/components/diner/loyalty/screen-title';
import { fillText } from '@/components/diner/words';
import { getAccount } from '@/server/domain/diners';
import { loadCustomer } from '../load-visit';

/** Where a customer chooses a PIN, changes it, or resets a forgotten one. */
export default async function PinPage({ params }: { params: Promise<{ merchantId: string }> }) {
  const { services, diner, speech } = await loadCustomer((await params).merchantId);
  const { words, when } = speech;
  const { customer, isFresh, pinLockedUntil } = await getAccount(services, diner);
  const { hasPin } = customer;
  const proof = hasPin ? (pinLockedUntil ? 'code' : 'oldPin') : isFresh ? 'none' : 'code';
  return (
    <PinForm phone={diner.phone} hasPin={hasPin} proof={proof}>
      <BackToAccount className="-mt-4" />
      <ScreenTitle>{hasPin ? words.changePin : words.setPin}</ScreenTitle>
      <p className="leading-relaxed text-muted">{words.pinLead}</p>
      {pinLockedUntil ? (
        <Notice title={words.pinLockedTitle}>
          {fillText(words.pinLockedText, {
            when: when((pinLockedUntil.getTime() - services.clock.now().getTime()) / 1000),
          })}
        </Notice>
      ) : null}
    </PinForm>
  );
}
