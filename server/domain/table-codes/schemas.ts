import { z } from 'zod';
import { uuid } from '../core/schemas';

export const tableCodesInput = z.strictObject({ qrCodeIds: z.array(uuid).min(1).max(100) });
