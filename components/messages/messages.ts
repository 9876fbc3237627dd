import type { Language } from '@/server/domain/kernel/context';
import { en } from './en';
import { ja } from './ja';
import type { Messages } from './languages';
import { ms } from './ms';
import { zh } from './zh';

/** All texts of the back office, for the server, which picks the reader's. */
export const messages: Record<Language, Messages> = { en, zh, ja, ms };
