/** What the mails to staff say. */
import type { Letter } from '../mail/queue';
import type { StaffRole } from './sign-in';

export function passwordResetLetter(name: string, url: string): Letter {
  return {
    subject: 'Choose a new password',
    lines: [
      `Hello ${name},`,
      'somebody, most likely you, asked for a new password for your Tableside account. The link works once, for an hour.',
      'If it was not you, you need not do anything: your password stays as it is.',
    ],
    link: { label: 'Choose a new password', url },
  };
}

const roles: Record<StaffRole, string> = { owner: 'an owner', manager: 'a manager', cashier: 'a cashier' };

export function invitationLetter(invited: { merchantName: string; by: string; role: StaffRole }, url: string): Letter {
  return {
    subject: `Join ${invited.merchantName} on Tableside`,
    lines: [
      'Hello,',
      `${invited.by} invites you to ${invited.merchantName}’s back office on Tableside as ${roles[invited.role]}. The link works once, for seven days.`,
      'If you do not know what this is about, you need not do anything.',
    ],
    link: { label: 'Accept the invitation', url },
  };
}
