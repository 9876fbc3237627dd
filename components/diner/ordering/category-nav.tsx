import { useEffect, useRef, useState } from 'react';
import { useSpeech } from './table-context';

interface CategoryNavProps {
  categories: { id: string; name: string }[];
}

/** The category that is being read: the last one whose start has passed the upper part of the screen. */
function useCurrent(ids: string[]): string | undefined {
  const [current, setCurrent] = useState(ids[0]);
  const key = ids.join();
  useEffect(() => {
    const sections = key.split(',').map((id) => document.getElementById(id));
    const inView = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inView.add(target.id);
          else inView.delete(target.id);
        }
        const first = key.split(',').find((id) => inView.has(id));
        if (first) setCurrent(first);
      },
      { rootMargin: '-20% 0px -60%' },
    );
    for (const section of sections) if (section) observer.observe(section);
    return () => observer.disconnect();
  }, [key]);
  return ids.includes(current ?? '') ? current : ids[0];
}

/** Plain anchors, always visible: a strip above the menu on a phone, a column beside it on a desktop. */
export function CategoryNav({ categories }: CategoryNavProps) {
  const { words } = useSpeech();
  const list = useRef<HTMLUListElement>(null);
  const current = useCurrent(categories.map(({ id }) => id));

  // Scrolls only the strip, because the page itself must not move.
  useEffect(() => {
    const strip = list.current;
    const link = strip?.querySelector<HTMLElement>(`[href="#${current}"]`);
    if (!strip || !link) return;
    strip.scrollTo({ left: link.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2 });
  }, [current]);

  return (
    <nav aria-label={words.categories} className="category-nav">
      <ul ref={list} className="category-list">
        {categories.map(({ id, name }) => (
          <li key={id} className="shrink-0">
            <a href={`#${id}`} aria-current={id === current ? 'true' : undefined} className="category-link">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
