/** Debian's PostgreSQL, whose tools for back-up and replication the embedded one lacks. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '@/db/startup-error';

const packages = '/usr/lib/postgresql';
const clusterSettings = '/etc/postgresql-common/createcluster.conf';

/** The folder of the newest PostgreSQL's programs, installed where it is missing and we may. Errors: `StartupError`. */
export function postgresFolder(): string {
  const found = findFolder();
  if (found) return found;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new StartupError('PostgreSQL 15 or later with pg_basebackup is missing: apt-get install postgresql.');
  }
  installBinary('postgresql-common');
  // Debian would otherwise start a server of its own on port 5432.
  appendFileSync(clusterSettings, '\ncreate_main_cluster = false\n');
  installBinary('postgresql');
  const installed = findFolder();
  if (!installed) throw new StartupError('PostgreSQL 15 or later could not be installed.');
  return installed;
}

function findFolder(): string | undefined {
  const versions = existsSync(packages) ? readdirSync(packages).map(Number) : [];
  return versions
    .filter((version) => version >= 15)
    .sort((a, b) => b - a)
    .map((version) => join(packages, String(version), 'bin'))
    .find((folder) => ['initdb', 'pg_ctl', 'pg_basebackup'].every((name) => existsSync(join(folder, name))));
}

export function installBinary(name: string): void {
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'] as const,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  try {
    execFileSync('apt-get', ['update', '-qq'], { ...options, stdio: [...options.stdio] });
    execFileSync('apt-get', ['install', '-y', '-qq', name], { ...options, stdio: [...options.stdio] });
  } catch {
    throw new StartupError(`apt-get install ${name} failed.`);
  }
}
