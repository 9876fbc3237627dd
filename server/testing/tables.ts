/** Set-up for tests of QR codes and orders. */
import type { TestDatabase } from '@/db/testing/database';
import { authenticateKey } from '@/server/domain/access/authenticate';
import { newId } from '@/server/domain/kernel/ids';
import { generateQrCode } from '@/server/domain/qr-ordering/qr-codes';
import { createMerchant, type MerchantSettings, testServices } from './factory';
import { createMenu } from './factory-ordering';
import { createStaff } from './staff';

/** Creates a separate merchant with a menu, its cashier, and the till of its first store. */
export async function createTables({ owner, db }: TestDatabase, settings: MerchantSettings = {}) {
  const merchant = await createMerchant(owner, settings);
  await createMenu(owner, merchant.id);
  const services = testServices(db);
  const cashier = await createStaff(owner, services, merchant.id, 'cashier');
  const till = await authenticateKey(services, merchant.stores[0].key);
  return { merchant, services, cashier, till, storeId: merchant.stores[0].id };
}

/** Opens a bill's code. Returns it as a phone has scanned it. */
export async function openTable({
  till,
  merchant,
}: Pick<Awaited<ReturnType<typeof createTables>>, 'till' | 'merchant'>) {
  const { qrCodeId, url } = await generateQrCode(till, { billId: newId(), table: '12' });
  const token = url.split('/q/')[1] ?? '';
  return { merchantId: merchant.id, qrCodeId, token, visit: { token, client: '192.0.2.1' } };
}
