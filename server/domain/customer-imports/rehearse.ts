import type { StaffContext } from '../kernel/context';
import { findFile, planFile } from './count-rows';
import type { PreviewedRow } from './import-rows';
import { isSkipped, plainValuesOf } from './rows';
import type { MappedImportInput } from './schemas';

/** What the import would do with a row: enrol a customer, add the balance of an existing one, or skip it. */
type RowOutcome = 'enrol' | 'add' | 'skip';

interface RehearsedRow extends PreviewedRow {
  outcome: RowOutcome;
}

/** Says of every row of a file what its import would do now. Nothing is written. Errors: `import_not_found`. */
export async function* rehearseImport(ctx: StaffContext, input: MappedImportInput): AsyncGenerator<RehearsedRow> {
  for await (const rows of planFile(ctx, input, await findFile(ctx, input))) {
    for (const row of rows) {
      const { rowNumber, cells, problems, addTo } = row;
      const outcome = isSkipped(row) ? 'skip' : addTo === null ? 'enrol' : 'add';
      yield { rowNumber, outcome, problems, values: plainValuesOf(cells, input.mapping) };
    }
  }
}
