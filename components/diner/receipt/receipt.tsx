import { type ReceiptContent, senderOf } from './receipt-content';

interface ReceiptProps {
  content: ReceiptContent;
  logoId: string | null;
}

/** A receipt on screen. It alone is printed: see `receipt.css`. */
export function Receipt({ content, logoId }: ReceiptProps) {
  const { title, time, lines, notes } = content;
  const [name, ...contact] = senderOf(content);
  return (
    <article className="receipt text-[0.9375rem]/6 wrap-anywhere">
      {logoId === null ? null : (
        // biome-ignore lint/performance/noImgElement: it is small already, and next/image writes styles that our policy forbids
        <img
          src={`/photos/${logoId}/160`}
          alt=""
          width={64}
          height={64}
          className="mb-3 size-16 rounded-xl object-cover"
        />
      )}
      <p className="font-semibold">{name}</p>
      {contact.map((line) => (
        <p key={line} className="text-sm text-muted">
          {line}
        </p>
      ))}
      <p className="mt-5 text-lg font-semibold tracking-[-0.02em]">{title}</p>
      <p className="text-sm text-muted" suppressHydrationWarning>
        {time}
      </p>
      <ul className="my-4 border-y border-line py-2">
        {lines.map(({ text, amount, isStrong }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a receipt's lines never change
          <li key={at} className={`flex justify-between gap-4 py-1 ${isStrong ? 'font-semibold' : ''}`}>
            <span>{text}</span>
            {amount ? (
              <span className="shrink-0 tabular-nums" suppressHydrationWarning>
                {amount}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {notes.map((note) => (
        <p key={note} className="text-sm text-muted">
          {note}
        </p>
      ))}
    </article>
  );
}
