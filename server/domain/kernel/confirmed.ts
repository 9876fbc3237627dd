import type { Services } from './context';
import { DomainError } from './errors';
import { say } from './say';

/** How long a proof of identity is valid for dangerous changes. */
const confirmedSeconds = 15 * 60;

interface Person {
  /** When the person last proved in this session who they are. */
  confirmedAt: Date;
}

/** Returns whether the person proved within the last 15 minutes who they are. */
export const isConfirmed = ({ systemClock }: Pick<Services, 'systemClock'>, { confirmedAt }: Person): boolean =>
  systemClock.now().getTime() - confirmedAt.getTime() <= confirmedSeconds * 1000;

/** Errors: `confirmation_required` if the person's last proof is more than 15 minutes ago. */
export function requireConfirmed(services: Pick<Services, 'systemClock'>, person: Person): void {
  if (!isConfirmed(services, person)) throw new DomainError('confirmation_required', say('confirmFirst'));
}
