/** The REST service as a separate process, without Next, for tests that kill it. It listens on PORT. */

import { createLogger } from '@/server/observe/log';
import { readEnv } from '@/server/process/env';
import { createFrontDoor } from '@/server/process/front-door';
import { createServices } from '@/server/process/services';

const settings = readEnv(process.env);
const services = createServices(settings);
const log = createLogger(settings.LOG_LEVEL);
const { ALLOWED_HOSTS: allowedHosts } = settings;
createFrontDoor({ services, log, nextOrigin: 'http://127.0.0.1:9', allowedHosts }).listen(settings.PORT, settings.HOST);
// The parent process has exited.
process.on('disconnect', () => process.exit(0));
