import { useBillPage } from './bill-context';

interface AccountLinkProps {
  /** The page of the account for signing in, or for choosing or resetting a PIN. */
  to: 'account' | 'pin';
  text: string;
  className: string;
}

/** Leads to a page of the account that leads back to the bill. `#bill` tells it that the diner came from there. */
export function AccountLink({ to, text, className }: AccountLinkProps) {
  const { table, token } = useBillPage();
  const remember = () => {
    try {
      localStorage.setItem(`table:${table.merchantId}`, `/q/${token}#bill`);
    } catch {}
  };
  const home = `/loyalty/${table.merchantId}`;
  return (
    <a href={`${to === 'pin' ? `${home}/pin` : home}#bill`} onClick={remember} className={className}>
      {text}
    </a>
  );
}
