import { Head } from 'next/document';
import type { ComponentProps, JSX } from 'react';

type Files = Parameters<Head['getScripts']>[0];
type Script = JSX.Element & { props: ComponentProps<'script'> };

/** Loads the scripts in order once the page has painted. Until then, a slow network is free for the visible content. */
const loadOncePainted = `addEventListener('DOMContentLoaded', () => requestAnimationFrame(() => setTimeout(() => {
  for (const src of sources) document.head.append(Object.assign(document.createElement('script'), { src, nonce, async: false }));
})));`;

/** Next's own Head, except that scripts load later; Next has no setting for that. */
export class PaintFirstHead extends Head {
  override getPreloadMainLinks(): JSX.Element[] {
    return [];
  }

  override getDynamicChunks(): null[] {
    return [];
  }

  override getScripts(files: Files): JSX.Element[] {
    const scripts = [...super.getDynamicChunks(files), ...super.getScripts(files)].filter(
      (one): one is Script => !!one,
    );
    const sources = scripts.flatMap(({ props: { src } }) => src ?? []);
    const { nonce } = this.props;
    const loader = `{const sources = ${JSON.stringify(sources)}, nonce = document.currentScript.nonce;${loadOncePainted}}`;
    return [
      ...scripts.filter(({ props: { src } }) => !src),
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the build's own addresses
      <script key="loader" nonce={nonce} dangerouslySetInnerHTML={{ __html: loader }} />,
    ];
  }
}
