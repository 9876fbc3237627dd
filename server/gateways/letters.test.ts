import { expect, test } from 'vitest';
import { printLetter } from './letters';

const url = 'https://office.example/invitation/abc';

test('an invitation is in the inviter’s language, and names person, merchant and role', () => {
  const letter = { kind: 'invitation', merchantName: 'Blue Bowl', by: 'Mei', role: 'manager', url } as const;
  const english = printLetter({ ...letter, language: 'en' });
  expect(english).toMatchObject({
    subject: 'Join Blue Bowl on Tableside',
    link: { label: 'Accept the invitation', url },
  });
  expect(english.lines[1]).toContain('Mei invites you to Blue Bowl’s back office on Tableside as a manager.');
  const chinese = printLetter({ ...letter, language: 'zh' });
  expect(chinese).toMatchObject({ subject: '加入 Tableside 上的 Blue Bowl', link: { label: '接受邀请', url } });
  expect(chinese.lines[1]).toContain('Mei邀请您以经理的身份加入 Blue Bowl');
});

test('a mail for a new password is in the requester’s language', () => {
  const letter = { kind: 'passwordReset', name: '小春 <O’Neill> {x}', url } as const;
  expect(printLetter({ ...letter, language: 'en' }).lines[0]).toBe('Hello 小春 <O’Neill> {x},');
  expect(printLetter({ ...letter, language: 'zh' })).toMatchObject({
    subject: '设置新密码',
    link: { label: '设置新密码', url },
  });
});
