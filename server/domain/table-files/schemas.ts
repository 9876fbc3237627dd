/** Files of rows and cells that merchants upload: how they are read, and what they turned out to be. */
import { z } from 'zod';
import { encodings } from '@/db/kinds/lists';

export type { TableSource } from '@/db/schema';

export const encoding = z.enum(encodings);
export type Encoding = z.infer<typeof encoding>;

/** What a person chose of a file. */
export interface TableChoice {
  /** Absent: the file's bytes tell. */
  encoding?: Encoding | undefined;
}
