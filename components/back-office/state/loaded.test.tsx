/** Screens of a single record, while it loads and if it does not exist. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { TRPCClientError } from '@trpc/client';
import { AppRouterContext, type AppRouterInstance } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import { NextIntlClientProvider } from 'next-intl';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { messages } from '@/components/messages/messages';
import { Toasts } from '@/components/ui/toast';
import { ApiKeyScreen } from '../api-keys/api-key-screen';
import { ImportScreen } from '../customer-imports/import-screen';
import { CustomerScreen } from '../customers/customer-screen';
import { ItemScreen } from '../menu/item-screen';
import { OptionGroupScreen } from '../menu/option-group-screen';
import { type OfficeFacts, OfficeProvider } from '../office/office';
import { BackOfficeProvider } from '../office/trpc';
import { PackageScreen } from '../packages/package-screen';
import { QrCodeScreen } from '../qr-codes/qr-code-screen';
import { TransactionScreen } from '../transactions/transaction-screen';
import { CampaignScreen } from '../vouchers/campaign-screen';
import { EditCampaignScreen } from '../vouchers/edit-campaign-screen';

const id = '00000000-0000-7000-8000-000000000001';
const screens: [list: string, screen: () => ReactNode, procedure: string[], input: object][] = [
  ['/api-keys', () => <ApiKeyScreen apiKeyId={id} />, ['apiKeys', 'get'], { apiKeyId: id }],
  ['/customers/import', () => <ImportScreen importId={id} />, ['customerImports', 'get'], { importId: id }],
  ['/customers', () => <CustomerScreen customerId={id} />, ['customers', 'get'], { customerId: id }],
  ['/menu', () => <ItemScreen itemId={id} />, ['menu', 'item'], { itemId: id }],
  ['/menu/options', () => <OptionGroupScreen optionGroupId={id} />, ['menu', 'optionGroup'], { optionGroupId: id }],
  ['/packages', () => <PackageScreen packageId={id} />, ['packages', 'get'], { packageId: id }],
  ['/qr-codes', () => <QrCodeScreen qrCodeId={id} />, ['qrCodes', 'get'], { qrCodeId: id }],
  ['/transactions', () => <TransactionScreen uid={id} />, ['transactions', 'get'], { uid: id }],
  ['/vouchers', () => <CampaignScreen campaignId={id} />, ['campaigns', 'get'], { campaignId: id }],
  [`/vouchers/${id}`, () => <EditCampaignScreen campaignId={id} />, ['campaigns', 'get'], { campaignId: id }],
];

const facts = { merchant: { id }, person: { role: 'owner', worksEverywhere: true } } as OfficeFacts;
const router = {} as AppRouterInstance;

function shown(screen: () => ReactNode, queryClient: QueryClient): string {
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en-SG" timeZone="UTC" messages={messages.en}>
      <AppRouterContext value={router}>
        <OfficeProvider facts={facts}>
          <BackOfficeProvider>
            <QueryClientProvider client={queryClient}>
              <Toasts>{screen()}</Toasts>
            </QueryClientProvider>
          </BackOfficeProvider>
        </OfficeProvider>
      </AppRouterContext>
    </NextIntlClientProvider>,
  );
}

const createClient = () => new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } });

test.each(screens)('under %s the heading and the back link are shown while it loads', (list, screen) => {
  const page = shown(screen, createClient());
  expect(page).toMatch(/<h1[^>]*>[^<]+<\/h1>/);
  expect(page).toContain(`href="${list}"`);
  expect(page).toContain('role="status"');
});

test.each(screens)(
  'under %s they are shown where the record does not exist',
  async (list, screen, procedure, input) => {
    const data = { code: 'NOT_FOUND', httpStatus: 404, reason: null, details: {}, issues: [] };
    const refusal = TRPCClientError.from({ error: { message: 'There is none.', code: -32_004, data } });
    const queryClient = createClient();
    await queryClient.prefetchQuery({
      queryKey: [procedure, { input, type: 'query' }],
      queryFn: () => Promise.reject(refusal),
    });
    const page = shown(screen, queryClient);
    expect(page).toMatch(/<h1[^>]*>[^<]+<\/h1>/);
    expect(page).toContain(`href="${list}"`);
    expect(page).toContain(messages.en.common.notFoundTitle);
  },
);
