import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Runs files that import modules anew last. Files of a worker share its modules (`isolate: false`), and a module that is
 * being imported while others are reset keeps the old ones: a later file would get two engines, each with its own queue.
 */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const resets = new Set(
      sorted.filter(({ moduleId }) => /resetModules|useSettings/.test(readFileSync(moduleId, 'utf8'))),
    );
    return [...sorted.filter((file) => !resets.has(file)), ...resets];
  }
}
