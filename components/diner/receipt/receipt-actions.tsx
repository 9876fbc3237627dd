import { useState } from 'react';
import { useIsInBrowser } from '@/components/ui/use-is-in-browser';
import { type ReceiptContent, receiptText } from './receipt-content';

interface ReceiptActionsProps {
  content: ReceiptContent;
  words: Record<'share' | 'copy' | 'copied' | 'print', string>;
  className: string;
}

/** Shares the receipt as a text if the phone can, and copies it otherwise; also prints it. */
export function ReceiptActions({ content, words, className }: ReceiptActionsProps) {
  const [isCopied, setCopied] = useState(false);
  const isInBrowser = useIsInBrowser();
  const text = receiptText(content);
  // A page without https has neither.
  const share = isInBrowser && 'share' in navigator ? () => navigator.share({ title: content.title, text }) : null;
  const copy = isInBrowser && navigator.clipboard ? () => navigator.clipboard.writeText(text) : null;
  const ignore = () => {};
  return (
    <>
      {share ? (
        <button type="button" className={className} onClick={() => share().catch(ignore)}>
          {words.share}
        </button>
      ) : copy ? (
        <button type="button" className={className} onClick={() => copy().then(() => setCopied(true), ignore)}>
          {isCopied ? words.copied : words.copy}
        </button>
      ) : null}
      <button type="button" className={className} onClick={() => print()}>
        {words.print}
      </button>
      <p role="status" className="sr-only">
        {isCopied ? words.copied : null}
      </p>
    </>
  );
}
