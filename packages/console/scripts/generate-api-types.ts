// Writes src/lib/api/schema.d.ts from the OpenAPI description of the service at the URL in the SLUICE environment variable.
import { writeFile } from 'node:fs/promises';
import { installDevTools } from '../../../scripts/dev-tools.ts';
import { apiTypes } from './api-types.ts';

const reason = installDevTools();
if (reason !== undefined) throw new Error(reason);
const service = process.env.SLUICE ?? 'http://127.0.0.1:8080';
await writeFile(new URL('../src/lib/api/schema.d.ts', import.meta.url), await apiTypes(service));
