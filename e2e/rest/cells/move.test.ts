/** `npm run proof:cells` in short. */
import { expect, test } from 'vitest';
import { runDrill } from '@/e2e/cells/drill';

test('a merchant moves there and back behind the router, also after a kill, and nothing is lost or doubled', async () => {
  const { complaints, figures } = await runDrill(
    { merchants: 5, moving: 1, kills: ['command'], quietSeconds: 1 },
    () => {},
  );
  expect(complaints).toEqual([]);
  expect(figures['of merchants that moved']).toBeGreaterThan(20);
});
