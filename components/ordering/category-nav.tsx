interface CategoryNavProps {
  label: string;
  categories: { id: string; name: string }[];
}

/** Plain anchors, in reach at every point of the menu: a strip above it on a phone, a column beside it on a desktop. */
export function CategoryNav({ label, categories }: CategoryNavProps) {
  return (
    <nav
      aria-label={label}
      className="sticky top-0 z-10 border-y border-line bg-page/95 backdrop-blur-md lg:top-10 lg:self-start lg:border-0 lg:bg-transparent lg:backdrop-blur-none"
    >
      <ul className="mx-auto flex max-w-6xl overflow-x-auto px-2.5 [scrollbar-width:none] sm:px-5.5 lg:max-h-[calc(100dvh-5rem)] lg:flex-col lg:overflow-y-auto lg:border-l lg:border-line lg:px-0">
        {categories.map(({ id, name }) => (
          <li key={id} className="shrink-0">
            <a
              href={`#${id}`}
              className="flex min-h-12 items-center border-b-2 border-transparent px-2.5 pt-0.5 text-[0.9375rem] font-medium whitespace-nowrap text-muted -outline-offset-2 transition-colors hover:text-ink lg:-ml-px lg:min-h-11 lg:border-b-0 lg:border-l-2 lg:pl-4 lg:whitespace-normal"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
