import type { Metadata } from 'next';
import { MessageList } from '@/components/back-office/message-list';
import { requireStaffSession } from '@/server/auth/session';
import { getServices } from '@/server/database';
import { getMerchantProfile } from '@/server/domain/merchants/profile';
import { listMessages } from '@/server/domain/messaging/list-messages';

export const metadata: Metadata = { title: 'Messages' };

export default async function MessagesPage() {
  const [membership] = (await requireStaffSession()).memberships;
  const services = getServices();
  const merchant = membership ? await getMerchantProfile(services, membership.merchantId) : null;
  if (!membership || !merchant)
    return <p className="text-lg text-muted">You do not belong to a merchant at the moment.</p>;

  const showsCodes = membership.role !== 'cashier';
  const messages = await listMessages(services, { merchantId: membership.merchantId, showsCodes });
  const format = new Intl.DateTimeFormat(merchant.locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: merchant.timeZone,
  });
  return (
    <>
      <h1 className="text-4xl/tight font-semibold tracking-[-0.03em]">Messages</h1>
      <p className="mt-3 mb-8 max-w-2xl leading-relaxed text-muted">
        {services.messenger === 'inbox'
          ? 'This sandbox has no WhatsApp: messages to customers land here, with their codes, and go nowhere else.'
          : 'What went to customers over WhatsApp. Codes are shown to nobody.'}
      </p>
      <MessageList
        messages={messages.map(({ createdAt, ...message }) => ({ ...message, time: format.format(createdAt) }))}
      />
    </>
  );
}
