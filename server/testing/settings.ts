import { vi } from 'vitest';

/**
 * Gives the modules that are imported from now on these settings; answers what takes them back. A worker runs many files,
 * and the service reads its settings once.
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
