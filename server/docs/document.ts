/** The OpenAPI document, as the documentation uses it. */
import { openApiDocument } from '@/server/rest/openapi';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Media {
  content: {
    'application/json': {
      schema: Schema;
      example?: unknown;
      examples?: Record<string, { summary: string; value: unknown }>;
      'x-fresh'?: Record<string, string>;
    };
  };
}

export interface DocumentedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: [string];
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
    example?: unknown;
  }[];
  requestBody?: Media;
  responses: Record<string, Media & { 'x-error-codes'?: string[] }>;
}

const environment = process.env.APP_ENV === 'production' ? 'live' : 'sandbox';

export const document = openApiDocument('', environment) as unknown as {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  /** By type of event. */
  webhooks: Record<string, { post: DocumentedOperation }>;
  components: { schemas: Record<string, Schema> };
};
