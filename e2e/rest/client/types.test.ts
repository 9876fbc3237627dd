/** The client's types are those of the document. */
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { openApiDocument } from '@/server/rest/openapi';

const header =
  '/** Generated from the OpenAPI document. To write it again: npx vitest run e2e/rest/client/types.test.ts --update=true */\n\n';

interface Operation {
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>;
}

/** The document without what it says about errors at each operation: it would be most of the types. */
function withoutErrorTexts(): OpenAPI3 {
  const document = structuredClone(openApiDocument('http://localhost')) as unknown as OpenAPI3;
  const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods) as Operation[]);
  for (const { responses } of operations) {
    for (const [status, { content }] of Object.entries(responses)) {
      if (status === '200') continue;
      const schema = content['application/json']?.schema as object;
      responses[status] = { description: '', content: { 'application/json': { schema } } };
    }
  }
  return document;
}

test('the types of the client are up to date (vitest --update=true writes them)', async () => {
  const nodes = await openapiTS(withoutErrorTexts(), { rootTypes: true, rootTypesNoSchemaPrefix: true });
  await expect(header + astToString(nodes)).toMatchFileSnapshot('../../../clients/typescript/src/schema.ts');
});
