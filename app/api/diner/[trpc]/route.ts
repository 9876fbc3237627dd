import { getServices } from '@/server/database';
import { env } from '@/server/env';
import { createLogger, type Logger, safeError } from '@/server/log';
import { serveDiner } from '@/server/trpc/diner/serve';

let logger: Logger | undefined;

function serve(request: Request): Promise<Response> {
  return serveDiner(getServices(), request, (error, procedure) => {
    logger ??= createLogger(env().LOG_LEVEL);
    logger.error({ procedure, ...safeError(error) }, 'fault');
  });
}

export { serve as GET, serve as POST };
export const dynamic = 'force-dynamic';
