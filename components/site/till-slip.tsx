function Line({ label, figure, strong = false }: { label: string; figure: string; strong?: boolean }) {
  return (
    <div className={strong ? 'flex items-baseline gap-2 text-base font-semibold' : 'flex items-baseline gap-2'}>
      <dt>{label}</dt>
      <span className="leader" aria-hidden="true" />
      <dd className="tabular-nums">{figure}</dd>
    </div>
  );
}

/** An example of a till's receipt after a top-up, labelled as an example. */
export function TillSlip() {
  return (
    <figure className="mx-auto w-full max-w-[21rem] lg:mr-0">
      <div className="rotate-1 drop-shadow-[0_18px_24px_oklch(0.2_0.03_165/0.18)]">
        <div className="slip-edges bg-slip px-7 py-10 font-mono text-[0.8125rem]/6 text-on-slip">
          <p className="text-center text-xs tracking-[0.18em] uppercase">Stored value</p>
          <p className="mt-1 text-center text-lg font-semibold tracking-tight">Top up 100, get 120</p>
          <dl className="mt-6 space-y-1 border-t border-dashed border-on-slip-muted pt-5">
            <Line label="Paid" figure="100.00" />
            <Line label="Bonus" figure="20.00" />
          </dl>
          <dl className="mt-4 border-t border-dashed border-on-slip-muted pt-4">
            <Line label="Balance SGD" figure="120.00" strong />
          </dl>
          <dl className="mt-6 space-y-1 text-xs/5 text-on-slip-muted">
            <Line label="Customer" figure="+65 •••• 4567" />
            <Line label="Transaction" figure="till2-000184" />
          </dl>
        </div>
      </div>
      <figcaption className="mt-5 text-center text-sm text-muted">Example slip, printed by the till</figcaption>
    </figure>
  );
}
