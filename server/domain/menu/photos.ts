import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { withMerchant } from '@/db/client';
import { forgetMenuPhotos, menuPhoto } from '@/db/functions';
import { only } from '@/db/queries';
import { menuPhotos } from '@/db/schema';
import { auditStaff } from '../core/audit';
import { readUpTo } from '../core/bounded';
import type { Services, StaffContext } from '../core/context';
import { invalid } from '../core/errors';
import { newId } from '../core/ids';
import { uuidKey } from '../core/page';
import { say } from '../core/say';
import { menuLimits } from './schemas';

/** Edges of the squares that a photo is kept as, in pixels. */
const sizes = { small: 160, large: 640 };
/** Above what cameras take, far below what a small file can be made to unpack to. */
const maxPixels = 60_000_000;

// Whatever else it is handed, the library does not even try to read.
const readable = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: readable });

/**
 * Takes a picture in: JPEG, PNG or WebP by its content, cut to squares, without what the camera wrote into it. The same
 * file again is the same photo. Errors: `invalid_request` for what is too big, or no such picture.
 */
export async function uploadPhoto(ctx: StaffContext, body: ReadableStream<Uint8Array>): Promise<{ photoId: string }> {
  const upload = await readUpTo(body, menuLimits.photoBytes);
  if (!upload) throw invalid('photo', say('fileTooLarge', { size: menuLimits.photoBytes / 1024 / 1024 }));
  const { small, large } = await squaresOf(upload);
  const hash = createHash('sha256').update(upload).digest();
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, db } = tx;
    const id = newId();
    const uploadedAt = ctx.systemClock.now();
    const photo = only(
      await db
        .insert(menuPhotos)
        .values({ merchantId, id, hash, small, large, uploadedAt })
        .onConflictDoUpdate({ target: [menuPhotos.merchantId, menuPhotos.hash], set: { uploadedAt } })
        .returning({ id: menuPhotos.id }),
    );
    if (photo.id === id) await auditStaff(tx, ctx, 'menuPhoto.create', { kind: 'menuPhoto', id });
    return { photoId: photo.id };
  });
}

/** How long somebody who uploaded a photo has to save the item that it is for. */
const keptUnusedMs = 24 * 60 * 60_000;
const batchSize = 100;

/** Deletes the photos that no item has, of all merchants. */
export async function forgetUnusedPhotos({ db, clock, stopping }: Services): Promise<void> {
  const before = new Date(clock.now().getTime() - keptUnusedMs);
  while (!stopping?.aborted) {
    const { $rows, forgotten: found } = forgetMenuPhotos({ before, most: batchSize });
    const { forgotten } = only(await db.pool.select({ forgotten: found }).from($rows));
    if (forgotten < batchSize) return;
  }
}

async function squaresOf(upload: Buffer): Promise<{ small: Buffer; large: Buffer }> {
  const measured = await sizeOf(upload);
  if (!measured) throw invalid('photo', say('notAPicture'));
  if (measured.width * measured.height > maxPixels) throw invalid('photo', say('tooManyPixels'));
  try {
    const large = await square(upload, sizes.large);
    return { small: await square(large, sizes.small), large };
  } catch {
    throw invalid('photo', say('damagedPicture'));
  }
}

/** From the file's head alone; null for what is no such picture. */
async function sizeOf(upload: Buffer) {
  try {
    return await sharp(upload, { limitInputPixels: false }).metadata();
  } catch {
    return null;
  }
}

const square = (picture: Buffer, edge: number): Promise<Buffer> =>
  sharp(picture, { limitInputPixels: maxPixels })
    .autoOrient()
    .resize(edge, edge, { fit: 'cover' })
    .webp({ quality: 80 })
    .timeout({ seconds: 10 })
    .toBuffer();

/** A photo as WebP, of whichever merchant: a menu is public. Null where there is none. */
export async function readPhoto(
  { db }: Services,
  { photoId, size }: { photoId: string; size: string },
): Promise<Buffer | null> {
  const isLarge = size === String(sizes.large);
  if (!uuidKey.test(photoId) || !(isLarge || size === String(sizes.small))) return null;
  const { $rows, content } = menuPhoto({ photo: photoId, wantsLarge: isLarge });
  const [photo] = await db.pool.select({ content }).from($rows);
  return photo?.content ?? null;
}
