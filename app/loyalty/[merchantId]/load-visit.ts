import { cookies, headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { loyaltyWords } from '@/components/diner/dictionaries';
import { speechOf } from '@/components/diner/loyalty/speech';
import { dinerLanguage, languageCookie } from '@/components/diner/words';
import { keptLanguage } from '@/components/keep-language';
import { dinerCookieName } from '@/server/auth/diner-cookie';
import { findDiner } from '@/server/domain/identity';
import { findMerchant, originsOfMoved, withMerchantClock } from '@/server/domain/merchants';
import { getServices } from '@/server/environment/services';

/** Loads the merchant, if it exists, and the reader's language; once per request. */
export const findVisit = cache(async (merchantId: string) => {
  const [jar, requestHeaders, merchant] = await Promise.all([
    cookies(),
    headers(),
    findMerchant(getServices(), merchantId),
  ]);
  const chosen = keptLanguage((name) => jar.get(name)?.value, languageCookie);
  const reader = { chosen, acceptLanguage: requestHeaders.get('accept-language') };
  const language = dinerLanguage(reader, merchant?.locale);
  return { merchant, language, words: loyaltyWords[language] };
});

/** Also loads the signed-in diner. Responds 404 for an unknown merchant. Every page calls it. */
export const loadVisit = cache(async (merchantId: string) => {
  const { merchant, language, words } = await findVisit(merchantId);
  if (!merchant) {
    const [origin] = await originsOfMoved(getServices(), 'merchant', merchantId);
    if (origin) redirect(`${origin}/loyalty/${merchantId}`);
    notFound();
  }
  const services = withMerchantClock(getServices(), merchant);
  const token = (await cookies()).get(dinerCookieName(services.publicOrigin, merchant.id))?.value ?? null;
  const diner = await findDiner(services, merchant, token);
  return { services, merchant, diner, speech: speechOf(merchant, language, words) };
});

/** Also requires a customer. Redirects others to the sign-in. */
export async function loadCustomer(merchantId: string) {
  const visit = await loadVisit(merchantId);
  const { diner, merchant } = visit;
  if (!diner?.customerId) redirect(`/loyalty/${merchant.id}`);
  return { ...visit, diner: { ...diner, customerId: diner.customerId } };
}
