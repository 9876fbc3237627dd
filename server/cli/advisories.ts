/**
 * `npm run advisories`: checks the packages that production needs against the registry's known advisories. Exits with 1
 * if one is high or critical, and with 2 if the registry does not answer, because that is no pass.
 */
import { spawnSync } from 'node:child_process';

interface Audit {
  vulnerabilities?: Record<string, { severity: string; via: (string | { title: string; url: string })[] }>;
}

const blocking = ['high', 'critical'];

const { stdout } = spawnSync('npm', ['audit', '--omit', 'dev', '--json'], { encoding: 'utf8', maxBuffer: 64 << 20 });
const { vulnerabilities }: Audit = stdout ? JSON.parse(stdout) : {};
if (!vulnerabilities) {
  process.stderr.write('Not checked: the package registry does not answer questions about advisories.\n');
  process.exit(2);
}
const found = Object.entries(vulnerabilities).map(([name, { severity, via }]) => ({ name, severity, via }));
for (const { name, severity, via } of found) {
  const reasons = via.map((one) => (typeof one === 'string' ? `through ${one}` : `${one.title} ${one.url}`));
  process.stdout.write(`${severity}: ${name}: ${reasons.join('; ')}\n`);
}
const mustFix = found.filter(({ severity }) => blocking.includes(severity)).length;
process.stdout.write(`Advisories: ${found.length}; high or critical: ${mustFix}.\n`);
process.exit(mustFix > 0 ? 1 : 0);
