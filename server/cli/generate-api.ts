/** `npm run generate:api`: writes the files that follow from the OpenAPI document. Part of `npm run build`. */
import { openApiDocument } from '../rest/openapi';
import { writeApiFiles } from './generate/api-files';

await writeApiFiles(openApiDocument('http://localhost'));
process.exit(0);
