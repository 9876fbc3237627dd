import postgres from 'postgres';

/**
 * Splits an address with several hosts (`postgres://user@db1:5432,db2:5432/loyalty`), as libpq accepts it, into one
 * address per host.
 */
export function addressesOf(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? [];
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}

/**
 * Returns the address with only the current primary as its host, for clients that accept one host. Errors: the last
 * host's error, if no host is the primary.
 */
export async function primaryOf(url: string): Promise<string> {
  const addresses = addressesOf(url);
  if (addresses.length === 1) return url;
  let problem: unknown;
  for (const address of addresses) {
    const sql = postgres(address, { max: 1, connect_timeout: 3, fetch_types: false, target_session_attrs: 'primary' });
    try {
      await sql`select`;
      return address;
    } catch (error) {
      problem = error;
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
  throw problem;
}
