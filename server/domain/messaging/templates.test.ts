import { describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { refusalOf } from '@/server/testing/menu';
import { createNoticeScene } from '@/server/testing/notices';

const database = ownDatabase();

type Settings = Parameters<typeof createNoticeScene>[1];
const createScene = (settings?: Settings) => createNoticeScene(database, settings);

describe('templates', () => {
  test('have defaults, and are off; changes are saved by kind and language', async () => {
    const { call } = await createScene({ quiet: true });
    const { messages, auditLog } = await call();
    const before = await messages.templates();
    expect(before.quietHours).toEqual({ from: '21:00', until: '09:00' });
    expect(before.templates).toHaveLength(28);
    expect(before.templates.every(({ isOn }) => !isOn)).toBe(true);
    const saved = {
      kind: 'voucher-issued',
      language: 'zh',
      templateName: 'quan_1',
      body: '{voucher}',
      isOn: true,
    } as const;
    const suggested = before.templates.find(({ kind, language }) => `${kind} ${language}` === 'voucher-issued zh');
    const { revision } = await messages.saveTemplate({ ...saved, revision: suggested?.revision ?? '' });
    const after = await (await call()).messages.templates();
    expect(after.templates.filter(({ isOn }) => isOn)).toEqual([{ ...saved, revision }]);
    await messages.saveTemplate({ ...saved, isOn: false, revision });
    const [merchant] = (await auditLog.list({})).items;
    expect(merchant).toMatchObject({ action: 'messages.template' });
  });

  test('turn their kind on if any of them is on', async () => {
    const { call, merchant } = await createScene();
    const kinds = async () =>
      (await database.owner`select notice_kinds from merchants where id = ${merchant.id}`)[0]?.notice_kinds;
    const { messages } = await call();
    const change = async (at: number, isOn: boolean) => {
      const { templates } = await messages.templates();
      await messages.saveTemplate({ ...(templates[at] as never as object), isOn } as never);
    };
    await Promise.all([change(0, true), change(1, true), change(4, true)]);
    expect(await kinds()).toEqual(['value-expiring', 'voucher-issued']);
    await change(0, false);
    expect(await kinds()).toEqual(['value-expiring', 'voucher-issued']);
    await Promise.all([change(1, false), change(4, false)]);
    expect(await kinds()).toEqual([]);
  });

  test.each([
    [{ body: 'Hello {nobody}' }, 'body'],
    [{ body: 'Hello {}' }, 'body'],
    [{ body: 'Your PIN is {code}' }, 'body'],
    [{ body: ' ' }, 'body'],
    [{ templateName: 'Two Words' }, 'templateName'],
  ])('are refused with %o', async (wrong, path) => {
    const { call } = await createScene();
    const { messages } = await call();
    const { templates } = await messages.templates();
    const template = templates.find(({ kind }) => kind === 'top-up-receipt');
    expect(
      await refusalOf(messages.saveTemplate({ ...(template as never as object), ...wrong } as never)),
    ).toMatchObject({
      paths: [path],
    });
  });
});

test('quiet hours are two times of a day', async () => {
  const { call } = await createScene();
  const { messages } = await call();
  for (const quietHours of [
    { from: '24:00', until: '09:00' },
    { from: '21:00', until: '21:00' },
  ]) {
    await expect(messages.setQuietHours({ quietHours })).rejects.toThrow();
  }
  await messages.setQuietHours({ quietHours: { from: '22:30', until: '07:15' } });
  expect((await (await call()).messages.templates()).quietHours).toEqual({ from: '22:30', until: '07:15' });
  await messages.setQuietHours({ quietHours: null });
  expect((await (await call()).messages.templates()).quietHours).toBeNull();
});
