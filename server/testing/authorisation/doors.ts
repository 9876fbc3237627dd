import { readdirSync, readFileSync } from 'node:fs';
import { tableOf } from './answers';

/** Lists the addresses that are no pages: each procedure above is behind one of them. */
export function doorsTable(): string {
  const files = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('/route.ts'));
  const rows = files.map((file) => {
    const text = readFileSync(`app/${file}`, 'utf8');
    return [
      `/${file.replace(/\/route\.ts$/, '').replace(/\(.*?\)\//g, '')}`,
      [
        ...new Set(
          text
            .match(/^export .*/gm)
            ?.join()
            .match(/\b(GET|POST|PUT|PATCH|DELETE)\b/g),
        ),
      ]
        .sort()
        .join(', '),
    ];
  });
  return tableOf(
    ['Address', 'Methods'],
    rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
}
