/** Makes the TypeScript client's types from the OpenAPI document. */
import { createRequire } from 'node:module';
import type { OpenAPI3 } from 'openapi-typescript';

const require = createRequire(import.meta.url);

/** Returns `clients/typescript/src/schema.ts`. */
export async function clientTypes(document: Record<string, unknown>): Promise<string> {
  // openapi-typescript needs the API of TypeScript 5, which TypeScript 7 does not have.
  const typescript = require.resolve('typescript');
  require(typescript);
  Object.assign(require.cache[typescript] as NodeModule, { exports: require('@ts-morph/common').ts });
  const { default: openapiTS, astToString }: typeof import('openapi-typescript') = require('openapi-typescript');
  const nodes = await openapiTS(withoutErrorTexts(document), { rootTypes: true, rootTypesNoSchemaPrefix: true });
  return astToString(nodes);
}

interface Operation {
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>;
}

/** Returns the document without each operation's error descriptions, which would be most of the types. */
function withoutErrorTexts(complete: Record<string, unknown>): OpenAPI3 {
  const document = structuredClone(complete) as unknown as OpenAPI3;
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
