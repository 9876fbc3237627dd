import type { PeerCertificate } from 'node:tls';

/** What an error code of Node or the drivers says about TLS. */
const tlsProblems: Record<string, string> = {
  ...Object.fromEntries(
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ].map((code) => [
      code,
      "Node does not know the authority of the server's certificate: name its file in NODE_EXTRA_CA_CERTS, in the real environment, not in .env",
    ]),
  ),
  CERT_HAS_EXPIRED: "the server's certificate has expired: renew it on the server",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet: check the clocks of both machines",
  CERT_REVOKED: "the server's certificate is revoked: renew it on the server",
};

const wrongName = 'ERR_TLS_CERT_ALTNAME_INVALID';

/** Codes of a TLS handshake that the server's certificate ended. */
export const tlsCodes = [...Object.keys(tlsProblems), wrongName];

/**
 * Describes in one line why a connection to PostgreSQL was refused. If the reason is TLS, it names the setting that
 * helps.
 */
export function describeConnectionProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', cert } = error as { code?: string; cert?: PeerCertificate };
  const known = tlsProblems[code];
  if (known) return known;
  if (code === wrongName) {
    const names = (cert?.subjectaltname ?? '').replaceAll('DNS:', '') || 'no name at all';
    return `the server's certificate is for ${names}: name the host so in the address, or renew the certificate with the host's name`;
  }
  if (/secure TLS connection|does not support SSL/.test(error.message)) {
    return 'the server does not offer TLS: turn it on there (ssl = on), or end the address with ?sslmode=disable if nobody else can read the network';
  }
  if (code === '28000' && /no encryption$/.test(error.message)) {
    return 'the server refuses connections without TLS: end the address with ?sslmode=verify-full';
  }
  return (error.message || code || error.name).replaceAll('\n', ' ');
}
