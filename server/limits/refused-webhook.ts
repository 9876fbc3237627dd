import type { Services } from '../domain/kernel/context';
import { logSecurity } from '../observe/security-log';
import { addressFromFrontDoor, truncateAddress } from './client-address';
import { countRefusal } from './count-refusal';

/** Logs a webhook with a wrong signature. Never throws: it is refused in any case. */
export async function noteRefusedWebhook(services: Services, provider: string, { headers }: Request): Promise<void> {
  const network = truncateAddress(addressFromFrontDoor(headers.get('x-forwarded-for')));
  const attempts = await countRefusal(services, `webhook of ${provider} from ${network}`).catch(() => null);
  if (attempts !== null) logSecurity('webhook.refused', { provider, network, attempts });
}
