import { productName } from '../product';
import { Link } from '../ui/link';
import { Mark } from './mark';

/** The logo and the name, as a link. A table's page has only the logo, because `next/link` is too large for it. */
export function Wordmark() {
  return (
    <Link
      href="/"
      className="inline-flex items-center gap-2.5 rounded-md text-[1.0625rem] font-semibold tracking-tight"
    >
      <Mark />
      {productName}
    </Link>
  );
}
