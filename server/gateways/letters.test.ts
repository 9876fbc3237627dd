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

test('a daily summary in Malay has its words, its dates and the merchant’s currency', () => {
  const none = { topUps: 0, redemptions: 0, discount: 0, pointsRedeemed: 0 };
  const figures = { ...none, sales: 123_450, saleCount: 9, outstanding: 50 };
  const about = { merchantName: 'Blue Bowl', currency: 'MYR', day: '2026-11-24', locale: 'ms-MY', figures, url };
  const { subject, lines } = printLetter({ kind: 'dailySummary', language: 'ms', ...about });
  expect(subject).toBe('Blue Bowl: Selasa, 24 November 2026');
  const printed = lines.map((line) => line.replaceAll('\u00a0', ' '));
  for (const line of ['Jualan bersih: RM 1,234.50', 'Bilangan jualan: 9', 'Baki belum ditebus: RM 0.50'])
    expect(printed).toContain(line);
});
