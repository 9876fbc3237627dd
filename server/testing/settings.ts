import { vi } from 'vitest';

/**
 * Applies these settings to modules imported from now on, and returns a function that removes them. Needed because a
 * worker runs many test files and the service reads its settings once.
 */
export function useSettings(settings: object): () => void {
  const before = { ...process.env };
  // As text: once a test has restored `process.env`, it no longer converts values by itself.
  for (const [name, value] of Object.entries(settings)) if (value !== undefined) process.env[name] = String(value);
  vi.resetModules();
  return () => {
    process.env = before;
    vi.resetModules();
  };
}
