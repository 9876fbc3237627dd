/** The database's disk runs full while tills work, and has room again. Needs the right to mount a small disk. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { type EmbeddedServer, startEmbedded } from '@/db/operations/embedded';
import { migrate } from '@/db/operations/migrate';
import { requestsOf, setStage, startLoad } from '../recovery/load';
import { askAgain, auditLedger } from './audit';
import { sendRequest, type Told } from './clients';
import { eventually, startRestService } from './victims';

type Job = Pick<Told, 'path' | 'body'>;

const disk = join(tmpdir(), `loyalty-small-disk-${randomUUID()}`);

/** As root, or as a user who may become it without a password, like that of CI. */
function asRoot(...command: string[]): void {
  const [file = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', '--non-interactive', ...command];
  execFileSync(file, args, { stdio: 'pipe' });
}

/**
 * Returns whether the disk could be mounted. Throws on GitHub, where mounting always works: a skipped test would go
 * unnoticed there.
 */
function mount(): boolean {
  mkdirSync(disk);
  try {
    asRoot('mount', '-t', 'tmpfs', '-o', `size=200m,mode=0755,uid=${process.getuid?.()}`, 'tmpfs', disk);
    return true;
  } catch (error) {
    rmdirSync(disk);
    if (process.env.GITHUB_ACTIONS) throw error;
    return false;
  }
}

/** Also where something still has a file of it open. */
function unmount(): void {
  asRoot('umount', '--lazy', disk);
  rmdirSync(disk);
}

const ballast = join(disk, 'ballast');

/** Takes what room is left. */
function fill(): void {
  for (const size of [1_048_576, 4_096]) {
    try {
      for (;;) appendFileSync(ballast, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

/** As systemd does: PostgreSQL ends by itself where it has no room for its log. */
async function ensureRunning(server: EmbeddedServer): Promise<void> {
  try {
    server.pid();
  } catch {
    await server.restart().catch(() => {});
  }
}

test('while the disk is full, tills get 503 and /api/ready says why; once it has room, all goes on, and nothing acknowledged is lost or doubled', async ({
  skip,
}) => {
  if (!mount()) skip('it needs the right to mount a disk');
  // Run in reverse.
  onTestFinished(unmount);
  const server = await startEmbedded({ dataDir: join(disk, 'data') });
  onTestFinished(() => server.stop());
  const admin = postgres(server.url(), { max: 1, onnotice: () => {} });
  await admin`create database loyalty`;
  await admin.end();
  const url = server.url('loyalty');
  await migrate(url);
  const owner = postgres(url, { max: 2, onnotice: () => {} });
  onTestFinished(() => owner.end({ timeout: 1 }));
  const service = await startRestService(url);
  onTestFinished(() => service.stop());
  onTestFinished(async () => {
    rmSync(ballast, { force: true });
    await ensureRunning(server);
  });
  const stage = await setStage(owner, service);
  const ready = async () => {
    const response = await fetch(`${service.origin}/api/ready`);
    const { database } = (await response.json()) as { database: string };
    return `${response.status} ${database}`;
  };
  const becomes = (state: string, meanwhile: () => unknown) =>
    eventually(async () => {
      await meanwhile();
      expect(await ready()).toBe(state);
    }, 60_000);
  expect(await ready()).toBe('200 ok');
  const load = startLoad(stage, 'till');
  await load.more(200);

  fill();
  await becomes('503 disk_full', fill);
  // Pages that exist already may take some more transactions.
  const own: Told[] = [];
  const more = requestsOf(stage, 'own', 2_000);
  let [next, answer] = [more[0] as Job, await sendRequest(stage.pos, 'GET', '/ping')];
  for (let n = 0; answer.status === 200; n++) {
    fill();
    next = more[n] as Job;
    answer = await sendRequest(stage.pos, 'POST', next.path, next.body);
    if (answer.status === 200) own.push({ ...next, status: 'completed', answer: answer.text });
  }
  expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([503, 'service_unavailable']);
  expect(Number(answer.retryAfter)).toBeGreaterThanOrEqual(1);
  // Long enough for PostgreSQL to need a file for its log, where it has not stopped for that already.
  for (let n = 0; n < 20; n++) {
    fill();
    await ensureRunning(server);
    await wait(100);
  }

  rmSync(ballast);
  await becomes('200 ok', () => ensureRunning(server));
  await load.more(200);
  await load.finish();
  const { status, text } = await sendRequest(stage.pos, 'POST', next.path, next.body);
  expect(status).toBe(200);
  load.shop.told.push(...own, { ...next, status: 'completed', answer: text });
  const { told, complaints } = load.shop;
  complaints.push(...(await auditLedger(owner, told)));
  complaints.push(...(await askAgain(stage.pos, told.slice(-200))));
  expect(complaints).toEqual([]);
  expect(service.unplannedExits).toEqual([]);
}, 180_000);
