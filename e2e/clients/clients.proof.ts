/** Every operation by clients that the usual tools generate from the document, compiled strictly. */
import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '@/server/rest/openapi';
import { documented } from '../rest/document';
import { restApi } from '../rest/harness';
import { keyOf } from '../rest/operations';
import { callOf, createFullStage } from '../rest/ordering-operations';
import { compile, generators, installGenerators, newFolder, partsOf } from './generators';

const api = restApi();

beforeAll(installGenerators, 300_000);

describe.each(generators)('$name', ({ name, generate, load }) => {
  test('its client compiles strictly, and does every operation', async () => {
    const baseUrl = `${api.origin}/api/v1`;
    const out = await newFolder(name);
    const spec = `${out}.json`;
    await writeFile(spec, JSON.stringify(openApiDocument(api.origin)));
    await generate(spec, out, baseUrl);
    await compile(out);
    const stage = await createFullStage(api);
    const send = await load(out, { baseUrl, key: stage.key });
    const failed: string[] = [];
    for (const { operation } of documented) {
      const call = await callOf(api, operation.operationId, stage);
      const sendThis = call.keys ? await load(out, { baseUrl, key: keyOf(call, stage.key) }) : send;
      await sendThis(partsOf(operation.operationId, call)).catch((error) =>
        failed.push(`${operation.operationId}: ${describeError(error)}`),
      );
    }
    expect(failed).toEqual([]);
  }, 300_000);
});

const describeError = (error: unknown) => (error instanceof Error ? error.message : JSON.stringify(error));
