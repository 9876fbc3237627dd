/** The logo: a table with a diner beside it. */
export function Mark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <rect x="2" y="6" width="20" height="20" rx="5" className="fill-[#0e573b] dark:fill-[#1f7a56]" />
      <circle cx="25" cy="16" r="5" className="fill-zest stroke-page" strokeWidth="2" />
    </svg>
  );
}
