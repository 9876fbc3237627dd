import type { Language } from '@/server/domain/kernel/context';
import { withEnglish } from '@/server/domain/kernel/texts';
import { en } from './en';
import { ja } from './ja';
import type { Messages } from './languages';
import { ms } from './ms';
import { zh } from './zh';

/** All texts of the back office, for the server, which passes on those in the reader's language. */
export const messages: Record<Language, Messages> = withEnglish(en, { zh, ja, ms });
