import { listenProblem } from '@/db/ports';
import { StartupError } from '@/db/startup-error';

/** Errors: `StartupError` with a one-line reason why the service can't listen there. */
export async function ensurePortIsFree(port: number, host: string): Promise<void> {
  const problem = await listenProblem(port, host);
  if (problem !== null) throw portProblem(port, host, problem);
}

/** Describes in one line why listening failed, by the system's error code. */
export function portProblem(port: number, host: string, code: string | undefined): StartupError {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken: stop what listens there, or set PORT to another.`,
    EACCES: `Port ${port} may not be used by this user: set PORT to one above 1023.`,
    EADDRNOTAVAIL: `HOST ${host} is no address of this machine.`,
  };
  return new StartupError(sentences[code ?? ''] ?? `The service cannot listen on ${host}:${port}: ${code}.`);
}
