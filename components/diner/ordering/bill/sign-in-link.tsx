import { useBillPage } from './bill-context';

/** Leads to the account's page, from which the link back to the table opens the bill again. */
export function SignInLink({ className }: { className: string }) {
  const { words, table, token } = useBillPage();
  const remember = () => {
    try {
      localStorage.setItem(`table:${table.merchantId}`, `/q/${token}#bill`);
    } catch {}
  };
  return (
    <a href={`/loyalty/${table.merchantId}`} onClick={remember} className={className}>
      {words.signIn}
    </a>
  );
}

export function PinLink({ text }: { text: string }) {
  const { table } = useBillPage();
  return (
    <a href={`/loyalty/${table.merchantId}/pin`} className="text-button text-accent">
      {text}
    </a>
  );
}
