import type { Metadata } from 'next';
import { MerchantSummary } from '@/components/back-office/merchant-summary';
import { StoreList } from '@/components/back-office/store-list';
import { ButtonLink } from '@/components/ui/button';
import { ArrowRightIcon } from '@/components/ui/icons';
import { requireStaffSession } from '@/server/auth/session';
import { getServices } from '@/server/database';
import { getMerchantProfile } from '@/server/domain/merchants/profile';

export const metadata: Metadata = { title: 'Home' };

const roleNames = { owner: 'Owner', manager: 'Manager', cashier: 'Cashier' };

function NoMerchant({ email }: { email: string }) {
  return (
    <>
      <h1 className="text-4xl/tight font-semibold tracking-[-0.03em]">No merchant yet</h1>
      <p className="mt-4 max-w-xl text-lg leading-relaxed text-muted">
        {email} does not belong to a merchant at the moment. Ask the owner to add it, then load this page again.
      </p>
    </>
  );
}

export default async function HomePage() {
  const session = await requireStaffSession();
  const membership = session.memberships[0];
  const merchant = membership ? await getMerchantProfile(getServices(), membership.merchantId) : null;
  if (!membership || !merchant) return <NoMerchant email={session.email} />;

  const { name, email } = session;
  return (
    <>
      <h1 className="text-4xl/tight font-semibold tracking-[-0.03em] wrap-anywhere sm:text-5xl/tight">
        {merchant.name}
      </h1>
      <div className="mt-10">
        <MerchantSummary {...merchant} person={{ name, email, role: roleNames[membership.role] }} />
      </div>
      <div className="mt-14 grid gap-14 lg:grid-cols-[1.4fr_1fr] lg:gap-20">
        <section aria-labelledby="stores">
          <h2 id="stores" className="text-xl font-semibold tracking-tight">
            Stores
          </h2>
          <p className="mt-1 mb-5 text-muted">With the store code that the point of sale sends.</p>
          <StoreList stores={merchant.stores} />
        </section>
        <section aria-labelledby="connect" className="self-start rounded-xl bg-tint p-7">
          <h2 id="connect" className="text-xl font-semibold tracking-tight">
            Connect a point of sale
          </h2>
          <p className="mt-2 mb-6 leading-relaxed">
            The reference describes every request, and sends it for you once you paste an API key.
          </p>
          <ButtonLink href="/docs" variant="secondary">
            API reference
            <ArrowRightIcon />
          </ButtonLink>
        </section>
      </div>
    </>
  );
}
