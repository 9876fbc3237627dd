import type { Services } from '../domain/kernel/context';
import { truncateAddress } from '../domain/kernel/networks';
import { countRefusal } from '../domain/limits';
import { logSecurity } from '../observe/security-log';
import { addressFromFrontDoor } from './client-address';

/** Logs a webhook with a wrong signature. Never throws, because the webhook is refused in any case. */
export async function noteRefusedWebhook(services: Services, provider: string, { headers }: Request): Promise<void> {
  const network = truncateAddress(addressFromFrontDoor(headers.get('x-forwarded-for')));
  const attempts = await countRefusal(services, `webhook of ${provider} from ${network}`).catch(() => null);
  if (attempts !== null) logSecurity('webhook.refused', { provider, network, attempts });
}
