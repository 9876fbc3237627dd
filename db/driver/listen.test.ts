import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { connectDatabase } from './client';
import { listenToChannel } from './listen';

test('an unreachable database is reported once, however often listening is retried', async () => {
  let tries = 0;
  const away = createServer((socket) => {
    tries += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(away, 'listening');
  const db = connectDatabase(`postgres://127.0.0.1:${(away.address() as AddressInfo).port}/none`);
  const closing = new AbortController();
  const onAway = vi.fn();
  const listening = listenToChannel(db, 'nothing', { onStart: vi.fn(), onMessage: vi.fn(), onAway }, closing.signal);
  try {
    await vi.waitFor(() => expect(tries).toBeGreaterThan(2), 10_000);
    expect(onAway).toHaveBeenCalledOnce();
  } finally {
    closing.abort();
    await listening;
    away.close();
    await db.close();
  }
});
