import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { withMerchant } from '@/db/driver';
import { forgetMenuPhotos, menuPhoto } from '@/db/query/functions';
import { only } from '@/db/query/queries';
import { menuPhotos } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { readUpTo } from '../kernel/bounded';
import type { Services, StaffContext } from '../kernel/context';
import { invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { uuidKey } from '../kernel/page';
import { say } from '../kernel/say';
import { menuLimits } from './schemas';

/** The edge lengths of a photo's stored squares, in pixels. */
const sizes = { small: 160, large: 640 };
/** More than cameras produce, but far less than a small file can unpack to. */
const maxPixels = 60_000_000;

// The only formats that the image library may read.
const readable = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: readable });

/**
 * Stores a JPEG, PNG or WebP image (detected by content) as cropped squares, without the camera's metadata. Uploading
 * the same file again returns the same photo. Errors: `invalid_request` for a file that is too large or not such an
 * image.
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

/** How long an uploaded photo is kept before its item is saved. */
const unusedRetentionMs = 24 * 60 * 60_000;
const batchSize = 100;

/** Deletes photos that no item uses, for all merchants. */
export async function forgetUnusedPhotos({ db, clock, stopping }: Services): Promise<void> {
  const before = new Date(clock.now().getTime() - unusedRetentionMs);
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

/** Reads only the file's header. Returns null if it is not a supported image. */
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

/** Returns a photo as WebP. It may be any merchant's, because menus are public. Null if there is none. */
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
