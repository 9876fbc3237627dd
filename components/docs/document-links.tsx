import { Link } from '../ui/link';
import { underlined } from './markdown';

const forTools = [
  ['/api/openapi.json', 'OpenAPI document'],
  ['/api/postman.json', 'Postman collection'],
] as const;

/** The document in forms that tools read, the console, and further pages. */
export function DocumentLinks({ pages }: { pages: [href: string, title: string][] }) {
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
      {forTools.map(([href, title]) => (
        <a key={href} href={href} className={underlined}>
          {title}
        </a>
      ))}
      {[['/docs/console', 'API console'] as const, ...pages].map(([href, title]) => (
        <Link key={href} href={href} className={underlined}>
          {title}
        </Link>
      ))}
    </p>
  );
}
