import { queryOptions } from '@tanstack/react-query';
import { account } from './account-client';

/** The signed-in person's second factors. */
export const secondFactorsQuery = queryOptions({
  queryKey: ['account', 'secondFactors'],
  queryFn: () => account.secondFactors.query(),
});
