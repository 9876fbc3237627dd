const faces = [
  {
    who: 'Merchants',
    title: 'One back office for every store',
    text: 'Require a PIN for redemptions, or turn it off. The change applies immediately in all stores. See what was sent to whom.',
  },
  {
    who: 'Point of sale',
    title: 'A REST API that survives a bad connection',
    text: 'Top up, redeem, submit sales, void. A transaction that is sent again is still processed once, so a cashier never has to guess.',
  },
  {
    who: 'Diners',
    title: 'A QR code on the table, no app',
    text: 'Scan it to see the store’s menu. Sold-out items are marked, and the code closes when the bill is settled.',
  },
];

/** The three groups of people that use the service. */
export function ThreeFaces() {
  return (
    <section aria-labelledby="faces" className="border-y border-line bg-surface">
      <div className="mx-auto max-w-7xl px-5 py-16 sm:px-8 sm:py-20">
        <h2 id="faces" className="max-w-2xl text-2xl font-semibold tracking-tight sm:text-3xl">
          One ledger behind the counter, the office and the table
        </h2>
        <ul className="mt-10 grid gap-10 md:grid-cols-3 md:gap-0">
          {faces.map(({ who, title, text }) => (
            <li key={who} className="md:border-l md:border-line md:px-8 md:first:border-l-0 md:first:pl-0 md:last:pr-0">
              <p className="text-sm font-medium text-accent">{who}</p>
              <h3 className="mt-3 text-lg font-semibold tracking-tight">{title}</h3>
              <p className="mt-2 leading-relaxed text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
