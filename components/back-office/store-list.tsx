interface StoreListProps {
  stores: { storeCode: string; name: string }[];
}

export function StoreList({ stores }: StoreListProps) {
  if (stores.length === 0) {
    return (
      <p className="border-t border-line py-4 text-muted">No store yet. A store needs its point of sale’s code.</p>
    );
  }
  return (
    <ul className="divide-y divide-line border-y border-line">
      {stores.map(({ storeCode, name }) => (
        <li key={storeCode} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-4">
          <span className="font-medium wrap-anywhere">{name}</span>
          <code className="font-mono text-sm text-muted wrap-anywhere">{storeCode}</code>
        </li>
      ))}
    </ul>
  );
}
