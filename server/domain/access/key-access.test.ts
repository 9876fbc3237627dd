import { describe, expect, test } from 'vitest';
import { type FormerKeyScope, formerKeyScopes, type KeyScope, keyScopes, tillScopes } from '@/db/kinds/lists';
import { mayCall, scopesOf, storedScopes, worksFrom } from './key-access';

const needs = ['read', ...keyScopes, 'all'] as const;

test.each([
  [[], ['read']],
  [['ordering'], ['read', 'ordering']],
  [['bills'], ['read', 'bills']],
  [
    ['loyalty', 'bills'],
    ['read', 'bills', 'loyalty'],
  ],
  [
    ['ordering', 'bills', 'loyalty'],
    ['read', 'ordering', 'bills', 'loyalty', 'all'],
  ],
  [['webhooks'], ['read', 'webhooks']],
] as const)('a key of the scopes %j may call what needs one of %j', (scopes, callable) => {
  expect(needs.filter((needed) => mayCall(scopes, needed))).toEqual(callable);
});

test.each([
  ['read', []],
  ['loyalty', ['loyalty']],
  ['ordering', ['ordering', 'bills']],
  ['all', ['ordering', 'bills', 'loyalty']],
] as const)('a key that was issued with the scope %s keeps %j', (scope, scopes) => {
  expect(scopesOf({ scope, scopes: null })).toEqual(scopes);
});

/** What a key may call in the release that knows one scope, where bills are part of ordering. */
const formerly: Record<FormerKeyScope, KeyScope[]> = {
  read: [],
  loyalty: ['loyalty'],
  ordering: ['ordering', 'bills'],
  all: [...tillScopes],
};
const chosen = Array.from({ length: 2 ** keyScopes.length }, (_, bits) => bits).map((bits) =>
  keyScopes.filter((_, at) => bits & (1 << at)),
);

test.each(chosen)('scopes stored as %j %j %j %j let the release before do no more', (...scopes) => {
  const stored = storedScopes([...scopes].reverse());
  expect(stored.scopes).toEqual(scopes);
  expect(scopes).toEqual(expect.arrayContaining(formerly[stored.scope]));
  const fitting = formerKeyScopes.filter((one) => formerly[one].every((scope) => scopes.includes(scope)));
  expect(formerly[stored.scope].length).toBe(Math.max(...fitting.map((one) => formerly[one].length)));
});

describe('networks of a key', () => {
  const shop = ['203.0.113.0/24', '2001:db8:77::/48', '198.51.100.7/32'];
  test.each([
    ['203.0.113.0', true],
    ['203.0.113.255', true],
    ['203.0.112.255', false],
    ['203.0.114.0', false],
    ['198.51.100.7', true],
    ['198.51.100.8', false],
    ['2001:db8:77::1', true],
    ['2001:DB8:77:ffff:ffff:ffff:ffff:ffff', true],
    ['2001:db8:78::', false],
    // An IPv4 address, as sockets of both kinds report it.
    ['::ffff:203.0.113.9', true],
    ['::ffff:cb00:7109', true],
    ['::ffff:203.0.114.9', false],
    // The bits of an IPv4 network mean nothing in IPv6.
    ['cb00:7100::', false],
    ['unknown', false],
    ['', false],
  ])('%s: %s', (address, isIn) => {
    expect(worksFrom(shop, address)).toBe(isIn);
  });

  test('a link-local address is found without its zone', () => {
    expect([worksFrom(['fe80::/10'], 'fe80::1%eth0'), worksFrom(['fe90::/16'], 'fe80::1%eth0')]).toEqual([true, false]);
  });

  test('one that is written as IPv6 holds for IPv4 clients', () => {
    expect(worksFrom(['::ffff:203.0.113.0/120'], '203.0.113.9')).toBe(true);
  });

  test('none: from anywhere', () => {
    for (const address of ['203.0.113.9', '2001:db8::1', 'unknown']) expect(worksFrom([], address)).toBe(true);
  });

  test('all of a family are those of that family', () => {
    expect([worksFrom(['0.0.0.0/0'], '8.8.8.8'), worksFrom(['0.0.0.0/0'], '2001:db8::1')]).toEqual([true, false]);
  });
});
