import { AccountHome } from '@/components/diner/loyalty/account-home';
import { Identify } from '@/components/diner/loyalty/identify';
import { JoinForm } from '@/components/diner/loyalty/join-form';
import { getAccount, getHistory } from '@/server/domain/diners';
import { getBusiness } from '@/server/domain/merchants';
import { loadVisit } from './load-visit';

/** The account of the signed-in diner, or the sign-in and registration. */
export default async function AccountPage({ params }: { params: Promise<{ merchantId: string }> }) {
  const { services, merchant, diner, speech } = await loadVisit((await params).merchantId);
  if (!diner) return <Identify />;
  const { customerId } = diner;
  if (customerId === null) {
    const { privacyUrl } = await getBusiness(services, merchant.id);
    return <JoinForm phone={diner.phone} privacyUrl={privacyUrl} />;
  }
  const customer = { ...diner, customerId };
  const [account, history] = await Promise.all([
    getAccount(services, customer, speech.language),
    getHistory(services, customer, { language: speech.language }),
  ]);
  return <AccountHome merchantId={merchant.id} account={account} history={history} speech={speech} />;
}
