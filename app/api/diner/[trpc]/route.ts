import { processLog, safeError } from '@/server/observe/log';
import { getServices } from '@/server/process/services';
import { serveDiner } from '@/server/trpc/diner/serve';

function serve(request: Request): Promise<Response> {
  return serveDiner(getServices(), request, (error, procedure) => {
    processLog().error({ procedure, ...safeError(error) }, 'fault');
  });
}

export { serve as GET, serve as POST };
export const dynamic = 'force-dynamic';
