import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { accountTable } from './account';
import { backOfficeTable, exportsTable } from './back-office';
import { dinerTable } from './diner';
import { doorsTable } from './doors';
import { posTable } from './pos';

const database = sharedDatabase();

const intro = `# Who may call what

This file is made by a test that calls each procedure as each caller: \`server/testing/authorisation\`. If the code answers otherwise, the
test fails. Read the difference, and if it is meant, write the file again: \`npx vitest run server/testing/authorisation -u\`.

*yes*: the caller is admitted. *–*: refused. *proof*: admitted within 15 minutes of the last proof of who is there. Another word is the
code of the refusal. For each id in an input, \`server/trpc/tenancy.test.ts\`, \`server/trpc/stores.test.ts\`,
\`server/trpc/diner/tenancy.test.ts\` and \`e2e/rest/access/tenancy-every.test.ts\` show that another merchant's or store's is answered as
if there were none.`;

test('docs/authorisation.md is what the service answers every caller', async () => {
  const sections = [
    intro,
    `## Tills: the REST API\n\nWithout a key, and with a key that is revoked, of another network or of another environment: nobody.\n\n${await posTable(database)}`,
    `## Staff: the back office\n\nSigned out, of another merchant, or without a second factor that the merchant demands: nobody.\n\n${await backOfficeTable(database)}`,
    `## Staff: files\n\n${exportsTable()}`,
    `## Diners’ phones\n\n${await dinerTable(database)}`,
    `## Accounts of staff\n\n${await accountTable(database)}`,
    `## Addresses\n\n${doorsTable()}`,
  ];
  await expect(`${sections.join('\n\n')}\n`).toMatchFileSnapshot(resolve('docs/authorisation.md'));
});
