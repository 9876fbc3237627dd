import { queryOptions } from '@tanstack/react-query';
import { accountClient } from './account-client';

/** The signed-in person's second factors. */
export const secondFactorsQuery = queryOptions({
  queryKey: ['account', 'secondFactors'],
  queryFn: () => accountClient.secondFactors.query(),
});
