import { topUpWords } from '@/components/diner/dictionaries';
import { BackToAccount } from '@/components/diner/loyalty/back-to-account';
import { ScreenTitle } from '@/components/diner/loyalty/screen-title';
import { BegunPayment } from '@/components/diner/loyalty/top-up/begun-payment';
import { ChooseTopUp } from '@/components/diner/loyalty/top-up/choose-top-up';
import { OpenCode } from '@/components/diner/loyalty/top-up/open-code';
import { listTopUpOffers } from '@/server/domain/top-ups';
import { loadCustomer } from '../load-visit';

/** Where a customer chooses a top-up. */
export default async function TopUpPage({ params }: { params: Promise<{ merchantId: string }> }) {
  const { services, merchant, diner, speech } = await loadCustomer((await params).merchantId);
  const words = topUpWords[speech.language];
  const { openCode, begun, ...offers } = await listTopUpOffers(
    { ...services, merchant, customerId: diner.customerId },
    speech.language,
  );
  return (
    <>
      <BackToAccount className="-mt-4 mb-6" />
      <ScreenTitle>{words.title}</ScreenTitle>
      {openCode ? <OpenCode words={words} openCode={openCode} /> : null}
      {begun.map((one) => (
        <BegunPayment key={one.topUpRequestId} words={words} begun={one} />
      ))}
      <p className="mt-4 leading-relaxed text-muted">{words.lead}</p>
      <ChooseTopUp words={words} {...offers} />
    </>
  );
}
