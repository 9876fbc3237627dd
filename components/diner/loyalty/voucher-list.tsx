import type { Voucher } from '@/server/domain/kernel/voucher';
import { QrImage } from '../../ui/qr-image';
import { fillText } from '../words';
import type { Speech } from './speech';
import { voucherTerms } from './voucher-terms';

interface VoucherListProps {
  vouchers: Voucher[];
  /** By PLU. */
  itemNames: Record<string, string>;
  speech: Speech;
}

/** The active vouchers, each with a code to read out to the cashier or to scan. */
export function VoucherList({ vouchers, itemNames, speech }: VoucherListProps) {
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
          <VoucherCard key={voucher.voucherCode} voucher={voucher} itemNames={itemNames} speech={speech} />
        ))}
      </ul>
    </section>
  );
}

interface VoucherCardProps extends Omit<VoucherListProps, 'vouchers'> {
  voucher: Voucher;
}

function VoucherCard({ voucher, itemNames, speech }: VoucherCardProps) {
  const { words, day } = speech;
  const { name, voucherCode, expiresAt } = voucher;
  return (
    <li className="rounded-2xl border border-line bg-surface p-5">
      <h3 className="font-semibold tracking-tight wrap-anywhere">{name}</h3>
      <p className="mt-1 text-[0.9375rem] leading-relaxed">{voucherTerms(voucher, itemNames, speech).join(' · ')}</p>
      <p className="text-sm text-muted">
        {expiresAt === null ? words.noExpiry : fillText(words.validUntil, { day: day(expiresAt) })}
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
          <QrImage text={voucherCode} label={fillText(words.qrOf, { name })} />
        </div>
      </details>
    </li>
  );
}
