type Given = Record<string, string | undefined>;

/** Services that get a secret with each request. */
const gateways = ['STRIPE_API_BASE', 'WHATSAPP_API_URL'] as const;

/**
 * Returns a line for each setting that belongs to the other environment: test keys in production would credit money
 * that was never paid, and live keys in a sandbox would take real money for nothing.
 */
export function mixedUpProblems(given: Given): string[] {
  const stripeMode = /^(?:sk|rk)_(live|test)_/.exec(given.STRIPE_SECRET_KEY ?? '')?.[1];
  if (given.APP_ENV !== 'production')
    return stripeMode === 'live' ? ['  STRIPE_SECRET_KEY is a live key: a sandbox takes test keys (sk_test_…)'] : [];
  return [
    ...(stripeMode === 'test' ? ['  STRIPE_SECRET_KEY is a test key: production takes live keys (sk_live_…)'] : []),
    ...gateways
      .filter((name) => given[name]?.startsWith('http:'))
      .map((name) => `  ${name} must begin with https:// in production: its secret would travel unencrypted`),
    ...(given.AUTH_SECRET !== undefined && given.AUTH_SECRET === given.DATA_SECRET
      ? ['  DATA_SECRET must not be AUTH_SECRET: each protects something else']
      : []),
  ];
}
