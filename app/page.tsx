import { DeveloperStart } from '@/components/site/developer-start';
import { SiteFooter } from '@/components/site/site-footer';
import { SiteHeader } from '@/components/site/site-header';
import { ThreeFaces } from '@/components/site/three-faces';
import { TillSlip } from '@/components/site/till-slip';
import { ButtonLink } from '@/components/ui/button';
import { ArrowRightIcon } from '@/components/ui/icons';
import { isSignedIn } from '@/server/auth/session';
import { env } from '@/server/environment/env';

export default async function StartPage() {
  const { APP_ENV, apiOrigin } = env();
  return (
    <>
      <SiteHeader signedIn={await isSignedIn()} />
      <main id="content">
        <section className="relative isolate overflow-hidden">
          <div className="tablecloth absolute inset-0 -z-10" aria-hidden="true" />
          <div className="mx-auto grid max-w-7xl items-center gap-14 px-5 pt-14 pb-20 sm:px-8 sm:pt-20 lg:grid-cols-[1.5fr_1fr] lg:gap-10 lg:pt-24 lg:pb-28">
            <div>
              <h1 className="text-[clamp(1.9rem,9.2vw,3.25rem)]/[1.05] font-semibold tracking-[-0.035em] xl:text-[4.25rem]/[1.02]">
                <span className="block">Loyalty at the till.</span>{' '}
                <span className="block">Ordering at the table.</span>
              </h1>
              <p className="mt-6 max-w-[34rem] text-lg/relaxed text-muted">
                Stored value, vouchers and points for restaurant and shop groups, and menus that diners order from with
                a QR code. It works with the point of sale you already have.
              </p>
              <div className="mt-9 flex flex-wrap gap-3">
                <ButtonLink href="/sign-in">
                  Sign in to your back office
                  <ArrowRightIcon />
                </ButtonLink>
                <ButtonLink href="/docs" variant="secondary">
                  Read the documentation
                </ButtonLink>
              </div>
            </div>
            <TillSlip />
          </div>
        </section>
        <ThreeFaces />
        <DeveloperStart origin={apiOrigin} environment={APP_ENV} />
      </main>
      <SiteFooter environment={APP_ENV} />
    </>
  );
}
