import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { connect } from './client';
import { listen } from './listen';

test('an unreachable database is reported once, however often listening is retried', async () => {
  let tries = 0;
  const away = createServer((socket) => {
    tries += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(away, 'listening');
  const db = connect(`postgres://127.0.0.1:${(away.address() as AddressInfo).port}/none`);
  const closing = new AbortController();
  const onAway = vi.fn();
  const listening = listen(db, 'nothing', { onStart: vi.fn(), onMessage: vi.fn(), onAway }, closing.signal);
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
