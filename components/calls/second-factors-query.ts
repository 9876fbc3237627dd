import { queryOptions } from '@tanstack/react-query';
import { account } from './account-client';

/** What the signed-in person proves a sign-in with, besides the password. */
export const secondFactorsQuery = queryOptions({
  queryKey: ['account', 'secondFactors'],
  queryFn: () => account.secondFactors.query(),
});
