import { vi } from 'vitest';

/**
 * Applies these settings to modules imported from now on, and returns a function that removes them. A worker runs many
 * test files, and the service reads its settings once.
 */
export function useSettings(settings: object): () => void {
  const before = { ...process.env };
  Object.assign(process.env, settings);
  vi.resetModules();
  return () => {
    process.env = before;
    vi.resetModules();
  };
}
