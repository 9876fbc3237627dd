import { Badge } from '../ui/badge';

interface Message {
  messageId: string;
  customerName: string;
  phone: string | null;
  state: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'inbox';
  failure: string | null;
  code: string | null;
  /** Ready to show, in the merchant's language and time zone. */
  time: string;
}

const stateNames = {
  queued: 'Waiting',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Failed',
  inbox: 'Sandbox inbox',
};

export function MessageList({ messages }: { messages: Message[] }) {
  if (messages.length === 0) {
    return (
      <p className="border-t border-line py-4 text-muted">
        No message yet. One appears when a point of sale resets a customer’s PIN.
      </p>
    );
  }
  return (
    <ul className="divide-y divide-line border-y border-line">
      {messages.map(({ messageId, customerName, phone, state, failure, code, time }) => (
        <li key={messageId} className="grid gap-x-6 gap-y-2 py-4 sm:grid-cols-[1fr_auto] sm:items-center">
          <div className="min-w-0">
            <p className="font-medium wrap-anywhere">
              New PIN for {customerName} <span className="font-normal text-muted">{phone}</span>
            </p>
            <p className="mt-1 text-sm text-muted">
              {time}
              {failure ? ` · ${failure}` : ''}
            </p>
          </div>
          <div className="flex items-center gap-3 sm:justify-end">
            {code ? (
              <span className="font-mono text-lg tracking-[0.2em]">
                <span className="sr-only">PIN </span>
                {code}
              </span>
            ) : null}
            <Badge>{stateNames[state]}</Badge>
          </div>
        </li>
      ))}
    </ul>
  );
}
