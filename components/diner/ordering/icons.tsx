/** Icons are decoration. The control's label carries the meaning. */
const icon = (path: string) => () => (
  <svg
    viewBox="0 0 16 16"
    width="18"
    height="18"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    aria-hidden="true"
    className="shrink-0"
  >
    <path d={path} />
  </svg>
);

export const CrossIcon = icon('m4 4 8 8m0-8-8 8');
export const PlusIcon = icon('M8 3v10M3 8h10');
export const MinusIcon = icon('M3 8h10');
export const BellIcon = icon('M3.5 11.5h9L11.5 10V7a3.5 3.5 0 0 0-7 0v3zM7 13.75h2');
export const SearchIcon = icon('M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9m3.3 7.8 3.2 3.2');
export const FilterIcon = icon('M2.5 4h11M4.5 8h7M6.5 12h3');
