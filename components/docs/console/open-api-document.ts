/** The parts of an OpenAPI document that this page reads. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, unknown>>;
  components?: { securitySchemes?: Record<string, { type: string; name?: string }> };
}

export interface OperationEntry {
  method: string;
  path: string;
  operationId: string;
  summary: string;
}

export interface OperationGroup {
  tag: string;
  operations: OperationEntry[];
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

interface Operation {
  operationId?: string;
  summary?: string;
  tags?: string[];
}

/** Operations by their first tag, in the document's order of tags and then of paths. */
export function operationGroups(document: OpenApiDocument): OperationGroup[] {
  const groups = new Map<string, OperationEntry[]>((document.tags ?? []).map(({ name }) => [name, []]));
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = item[method] as Operation | undefined;
      if (!operation?.operationId) continue;
      const tag = operation.tags?.[0] ?? 'default';
      const entry = { method, path, operationId: operation.operationId, summary: operation.summary ?? path };
      groups.set(tag, [...(groups.get(tag) ?? []), entry]);
    }
  }
  return [...groups]
    .filter(([, operations]) => operations.length > 0)
    .map(([tag, operations]) => ({ tag, operations }));
}

/** Returns the document's name for its `x-api-key` scheme. */
export function apiKeyScheme({ components }: OpenApiDocument): string | undefined {
  return Object.entries(components?.securitySchemes ?? {}).find(([, { type }]) => type === 'apiKey')?.[0];
}

/** Errors: if the document can't be loaded or is invalid. */
export async function loadDocument(url: string, signal: AbortSignal): Promise<OpenApiDocument> {
  const answer = await fetch(url, { signal, headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`The document answered ${answer.status}.`);
  const document = (await answer.json()) as OpenApiDocument;
  if (!document.openapi || !document.paths) throw new Error('That is no OpenAPI document.');
  return document;
}
