import type { Voucher } from '@/server/domain/kernel/voucher';
import { fill } from '../words';
import { QrImage } from './qr-image';
import type { Speech } from './speech';

/** The active vouchers, each with a code to read out to the cashier or to scan. */
export function VoucherList({ vouchers, speech }: { vouchers: Voucher[]; speech: Speech }) {
  const { words } = speech;
  return (
    <section aria-labelledby="vouchers">
      <h2 id="vouchers" className="text-xl font-semibold tracking-[-0.02em]">
        {words.vouchers}
      </h2>
      <p className="mt-1 text-[0.9375rem] leading-relaxed text-muted">
        {vouchers.length === 0 ? words.noVouchers : words.voucherHint}
      </p>
      <ul className="mt-4 space-y-3">
        {vouchers.map((voucher) => (
          <VoucherCard key={voucher.voucherCode} voucher={voucher} speech={speech} />
        ))}
      </ul>
    </section>
  );
}

function VoucherCard({ voucher, speech }: { voucher: Voucher; speech: Speech }) {
  const { words, day } = speech;
  const { name, voucherCode, expiresAt } = voucher;
  return (
    <li className="rounded-2xl border border-line bg-surface p-5">
      <h3 className="font-semibold tracking-tight wrap-anywhere">{name}</h3>
      <p className="mt-1 text-[0.9375rem] leading-relaxed">{termsOf(voucher, speech).join(' · ')}</p>
      <p className="text-sm text-muted">
        {expiresAt === null ? words.noExpiry : fill(words.validUntil, { day: day(expiresAt) })}
      </p>
      <p className="mt-3 font-mono text-lg font-semibold tracking-[0.12em]">
        <span className="sr-only">{words.voucherCode} </span>
        {voucherCode}
      </p>
      <details className="group mt-1">
        <summary className="flex min-h-11 cursor-pointer items-center rounded-md text-[0.9375rem] font-medium text-accent underline underline-offset-4">
          <span className="group-open:hidden">{words.showQr}</span>
          <span className="hidden group-open:inline">{words.hideQr}</span>
        </summary>
        <div className="mt-2">
          <QrImage text={voucherCode} label={fill(words.qrOf, { name })} />
        </div>
      </details>
    </li>
  );
}

/** The discount and its conditions. */
function termsOf({ unit, value, minSpend, maxDiscount }: Voucher, { words, money, count }: Speech): string[] {
  const offs = {
    BillDollarValue: () => fill(words.amountOff, { amount: money(value) }),
    BillDollarPercentage: () => fill(words.percentOff, { percent: count(value) }),
    ItemDollarValue: () => fill(words.itemAmountOff, { amount: money(value) }),
    ItemDollarPercentage: () => fill(words.itemPercentOff, { percent: count(value) }),
  };
  const terms = [offs[unit]()];
  if (minSpend > 0) terms.push(fill(words.minimumSpend, { amount: money(minSpend) }));
  if (maxDiscount !== null) terms.push(fill(words.atMost, { amount: money(maxDiscount) }));
  return terms;
}
