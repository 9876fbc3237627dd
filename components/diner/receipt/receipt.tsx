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
    <article className="receipt">
      {logoId === null ? null : (
        // biome-ignore lint/performance/noImgElement: it is small already, and next/image writes styles that our policy forbids
        <img src={`/photos/${logoId}/160`} alt="" width={64} height={64} className="receipt-logo" />
      )}
      <p className="receipt-strong">{name}</p>
      {contact.map((line) => (
        <p key={line} className="receipt-quiet">
          {line}
        </p>
      ))}
      <h3 className="receipt-title">{title}</h3>
      <p className="receipt-quiet" suppressHydrationWarning>
        {time}
      </p>
      <ul className="receipt-lines">
        {lines.map(({ text, amount, isStrong }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a receipt's lines never change
          <li key={at} className={isStrong ? 'receipt-strong' : undefined}>
            <span>{text}</span>
            {amount ? <span suppressHydrationWarning>{amount}</span> : null}
          </li>
        ))}
      </ul>
      {notes.map((note) => (
        <p key={note} className="receipt-quiet">
          {note}
        </p>
      ))}
    </article>
  );
}
