import { listStaff } from '@/server/domain/access';
import { iterateList } from '@/server/domain/kernel/page';
import type { Export } from './export';
import { toCsv } from './write';

/** Members, followed by open invitations. */
export const staffExport: Export = {
  roles: ['owner'],
  isOfAllStores: true,
  open: (ctx, _query, write = toCsv) =>
    write(
      {
        name: ({ name }) => name,
        email: ({ email }) => email,
        role: ({ role }) => role,
        state: ({ state }) => state,
        joinedAt: ({ joinedAt }) => joinedAt,
        invitedUntil: ({ invitedUntil }) => invitedUntil,
      },
      iterateList(async () => {
        const { members, invitations } = await listStaff(ctx);
        return [
          ...members.map((member) => ({ ...member, state: 'member', invitedUntil: null })),
          ...invitations.map(({ email, role, expiresAt, isExpired }) => ({
            name: null,
            email,
            role,
            state: isExpired ? 'invitation expired' : 'invited',
            joinedAt: null,
            invitedUntil: expiresAt,
          })),
        ];
      }),
    ),
};
