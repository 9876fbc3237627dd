import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createMenuScene, type MenuScene, refusalOf } from '@/server/testing/menu';
import { callAs, createStaff } from '@/server/testing/staff';
import { newId } from '../kernel/ids';
import { forgetUnusedPhotos, readPhoto, uploadPhoto } from './photos';

const database = sharedDatabase();

const picture = (width: number, height: number, background = 'teal') =>
  sharp({ create: { width, height, channels: 3, background } });
const streamOf = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]).stream();

describe('a photo', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('of %s becomes two squares in WebP', async (format) => {
    const { staff, services } = await createMenuScene(database);
    const bytes = await picture(1200, 700).toFormat(format).toBuffer();
    const { photoId } = await uploadPhoto(staff, streamOf(bytes));
    for (const edge of [160, 640]) {
      const kept = await readPhoto(services, { photoId, size: String(edge) });
      const { format: keptAs, width, height } = await sharp(kept ?? undefined).metadata();
      expect([keptAs, width, height]).toEqual(['webp', edge, edge]);
    }
  });

  test('is rotated upright, without the camera’s metadata', async () => {
    const { staff, services } = await createMenuScene(database);
    // Stored on its side: the left half is the top.
    const left = await picture(400, 800, 'red').png().toBuffer();
    const lying = await picture(800, 800, 'blue')
      .composite([{ input: left, left: 0, top: 0 }])
      .withExif({ IFD0: { Artist: 'Secret Name' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(lying).metadata()).orientation).toBe(6);
    const { photoId } = await uploadPhoto(staff, streamOf(lying));
    const kept = (await readPhoto(services, { photoId, size: '640' })) ?? Buffer.alloc(0);
    const { exif, orientation } = await sharp(kept).metadata();
    expect([exif, orientation]).toEqual([undefined, undefined]);
    expect(kept.includes('Secret Name')).toBe(false);
    const colourAt = async (top: number) =>
      [...(await sharp(kept).extract({ left: 300, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer())].map(
        (value) => value > 128,
      );
    expect([await colourAt(50), await colourAt(590)]).toEqual([
      [true, false, false],
      [false, false, true],
    ]);
  });

  test('uploaded twice, also at once, is one photo; for another merchant it is another', async () => {
    const { staff, merchant } = await createMenuScene(database);
    const bytes = await picture(50, 50).png().toBuffer();
    const uploads = await Promise.all([1, 2, 3].map(() => uploadPhoto(staff, streamOf(bytes))));
    expect(new Set(uploads.map(({ photoId }) => photoId)).size).toBe(1);
    const trail = await database.owner`
      select from audit_log where merchant_id = ${merchant.id} and action = 'menuPhoto.create'`;
    expect(trail).toHaveLength(1);
    const other = await createMenuScene(database);
    const theirs = await uploadPhoto(other.staff, streamOf(bytes));
    expect(theirs.photoId).not.toBe(uploads[0]?.photoId);
    const food = await other.addCategory('Food');
    const foreign = await refusalOf(other.addItem(food, 'N001', { photoId: uploads[0]?.photoId }));
    expect(foreign.code).toBe('menu_entry_not_found');
    await other.addItem(food, 'N001', { photoId: theirs.photoId });
  });

  test.each([
    ['text', async () => Buffer.from('hello')],
    ['nothing', async () => Buffer.alloc(0)],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a GIF', () => picture(9, 9).gif().toBuffer()],
    ['half a JPEG', async () => (await picture(900, 900).jpeg().toBuffer()).subarray(0, 400)],
    ['a picture of 61 million pixels', () => picture(10_000, 6_100).png().toBuffer()],
    ['more than 8 MB', async () => Buffer.alloc(8 * 1024 * 1024 + 1)],
  ])('is refused if it is %s', async (_, make) => {
    const { staff, merchant } = await createMenuScene(database);
    const refused = await refusalOf(uploadPhoto(staff, streamOf(await make())));
    expect(refused).toEqual({ code: 'invalid_request', paths: ['photo'] });
    expect(await database.owner`select from menu_photos where merchant_id = ${merchant.id}`).toHaveLength(0);
  });

  test('that is unknown, or of another size, is not found', async () => {
    const { services, staff } = await createMenuScene(database);
    const { photoId } = await uploadPhoto(staff, streamOf(await picture(50, 50).png().toBuffer()));
    for (const size of ['161', '', '0640']) expect(await readPhoto(services, { photoId, size })).toBeNull();
    for (const wrong of [newId(), 'x', "' or true--"]) {
      expect(await readPhoto(services, { photoId: wrong, size: '160' })).toBeNull();
    }
  });
});

describe('a photo without an item', () => {
  let serial = 0;
  const bytesOf = (n: number) =>
    picture(20 + n, 20)
      .png()
      .toBuffer();
  /** Uploads a photo, as of some hours ago. */
  async function upload({ staff }: MenuScene, hoursAgo: number): Promise<{ photoId: string; bytes: Buffer }> {
    const bytes = await bytesOf(++serial);
    const { photoId } = await uploadPhoto(staff, streamOf(bytes));
    await database.owner`
      update menu_photos set uploaded_at = now() - ${hoursAgo} * interval '1 hour' where id = ${photoId}`;
    return { photoId, bytes };
  }
  const isThere = async (photoId: string) => {
    const [row] = await database.owner`select count(*)::int as photos from menu_photos where id = ${photoId}`;
    return row?.photos === 1;
  };

  test('is deleted a day after its last upload', async () => {
    const scene = await createMenuScene(database);
    const food = await scene.addCategory('Food');
    const [fresh, old, again, used, archived] = [
      await upload(scene, 23),
      await upload(scene, 25),
      await upload(scene, 25),
      await upload(scene, 25),
      await upload(scene, 25),
    ];
    expect(await uploadPhoto(scene.staff, streamOf(again.bytes))).toEqual({ photoId: again.photoId });
    await scene.addItem(food, 'A', { photoId: used.photoId });
    const itemId = await scene.addItem(food, 'B', { photoId: archived.photoId });
    await scene.call.menu.archiveItems({ itemIds: [itemId] });
    await forgetUnusedPhotos(scene.services);
    const left = await Promise.all([fresh, old, again, used, archived].map(({ photoId }) => isThere(photoId)));
    expect(left).toEqual([true, false, true, true, true]);
  });

  test('is deleted after an item dropped it, whatever other merchants have', async () => {
    const [scene, other] = [await createMenuScene(database), await createMenuScene(database)];
    const { photoId, bytes } = await upload(scene, 25);
    const food = await scene.addCategory('Food');
    const itemId = await scene.addItem(food, 'A', { photoId });
    const theirs = await uploadPhoto(other.staff, streamOf(bytes));
    await other.addItem(await other.addCategory('Food'), 'A', { photoId: theirs.photoId });
    await scene.updateItem(itemId, scene.itemIn(food, 'A'));
    await forgetUnusedPhotos(scene.services);
    expect([await isThere(photoId), await isThere(theirs.photoId)]).toEqual([false, true]);
  });

  test('stays while it is the business’s logo; another merchant’s can’t be one', async () => {
    const [scene, other] = [await createMenuScene(database), await createMenuScene(database)];
    const { photoId } = await upload(scene, 25);
    const ownerOf = async ({ services, merchant }: MenuScene) =>
      callAs(await createStaff(database.owner, services, merchant.id));
    const owner = await ownerOf(scene);
    await owner.settings.change({ logoId: photoId });
    await forgetUnusedPhotos(scene.services);
    expect(await isThere(photoId)).toBe(true);
    expect((await refusalOf((await ownerOf(other)).settings.change({ logoId: photoId }))).code).toBe(
      'menu_entry_not_found',
    );
    await owner.settings.change({ logoId: null });
    await forgetUnusedPhotos(scene.services);
    expect(await isThere(photoId)).toBe(false);
  });

  test('that is being deleted can’t be used', async () => {
    const scene = await createMenuScene(database);
    const food = await scene.addCategory('Food');
    const { photoId } = await upload(scene, 25);
    let saving: Promise<{ code: string }> | undefined;
    await database.owner.begin(async (tx) => {
      await tx`delete from menu_photos where id = ${photoId}`;
      saving = refusalOf(scene.addItem(food, 'A', { photoId }));
      const waiting = () => database.owner`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await waiting()).length).toBe(1);
    });
    expect((await saving)?.code).toBe('menu_entry_not_found');
    expect(await scene.plusOf(food)).toEqual([]);
  });

  test('stays while an item that uses it is not committed yet', async () => {
    const scene = await createMenuScene(database);
    const { photoId } = await upload(scene, 25);
    const itemId = await scene.addItem(await scene.addCategory('Food'), 'A');
    await database.owner.begin(async (tx) => {
      await tx`update menu_items set photo_id = ${photoId} where id = ${itemId}`;
      await forgetUnusedPhotos(scene.services);
    });
    expect(await isThere(photoId)).toBe(true);
  });

  test('that is uploaded again during the deletion exists afterwards', async () => {
    const scene = await createMenuScene(database);
    for (let round = 0; round < 5; round++) {
      const { bytes } = await upload(scene, 25);
      const [{ photoId }] = await Promise.all([
        uploadPhoto(scene.staff, streamOf(bytes)),
        ...[1, 2].map(() => forgetUnusedPhotos(scene.services)),
      ]);
      expect(await isThere(photoId)).toBe(true);
    }
  });
});
