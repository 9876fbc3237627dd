/** A line of a receipt, with its amount as text. */
export interface ReceiptLine {
  text: string;
  amount?: string | null;
  /** A heading or a sum. */
  isStrong?: boolean;
}

export interface ReceiptContent {
  business: string;
  /** Null for a transaction outside of stores. */
  store: { name: string; address: string; phone: string } | null;
  title: string;
  /** The time of the transaction, in the merchant's time zone. */
  time: string;
  lines: ReceiptLine[];
  notes: string[];
}

/** The lines at the top: the business and the store. */
export function senderOf({ business, store }: Pick<ReceiptContent, 'business' | 'store'>): string[] {
  if (!store) return [business];
  const name = store.name.includes(business) ? store.name : `${business} · ${store.name}`;
  return [name, store.address, store.phone].filter(Boolean);
}

/** The receipt as a text to share or copy. */
export function receiptText(content: ReceiptContent): string {
  const { title, time, lines, notes } = content;
  const body = lines.map(({ text, amount }) => (amount ? `${text}  ${amount}` : text));
  return [...senderOf(content), '', title, time, '', ...body, '', ...notes].join('\n').trim();
}
