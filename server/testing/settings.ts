import { vi } from 'vitest';

/**
 * Applies these settings to modules imported from now on, and returns a function that removes them. A worker runs many
 * test files, and the service reads its settings once.
 */
export function useSettings(settings: object): () => void {
  const before = { ...process.env };
  // As text, which `process.env` itself makes of a value only until a test restored it.
  for (const [name, value] of Object.entries(settings)) if (value !== undefined) process.env[name] = String(value);
  vi.resetModules();
  return () => {
    process.env = before;
    vi.resetModules();
  };
}
