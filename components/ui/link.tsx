'use client';

import NextLink from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * A link to another of our pages, which is fetched ahead once the link is pointed at, touched or focused. Next would
 * fetch all links on the screen: a page of the back office has about 25, which would compete with its own data.
 */
export function Link({ prefetch, onPointerEnter, onFocus, ...rest }: ComponentProps<typeof NextLink>) {
  const [isIntended, setIntended] = useState(false);
  return (
    <NextLink
      {...rest}
      prefetch={prefetch ?? (isIntended ? null : false)}
      onPointerEnter={(event) => {
        setIntended(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setIntended(true);
        onFocus?.(event);
      }}
    />
  );
}
