/** The REST service as a process of its own, without Next, for tests that kill it. PORT says where it listens. */
import { readEnv } from '@/server/env';
import { createFrontDoor } from '@/server/front-door';
import { createLogger } from '@/server/log';
import { createServices } from '@/server/services';

const settings = readEnv(process.env);
const services = createServices(settings);
const log = createLogger(settings.LOG_LEVEL);
createFrontDoor({ services, log, nextOrigin: 'http://127.0.0.1:9' }).listen(settings.PORT, settings.HOST);
// Whoever started it is gone.
process.on('disconnect', () => process.exit(0));
