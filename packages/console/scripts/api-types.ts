import { pathToFileURL } from 'node:url';
import { devToolPath } from '../../../scripts/dev-tools.ts';

interface Description {
  readonly components: {
    readonly schemas: Record<string, { properties?: Record<string, unknown>; required?: string[] }>;
  };
}

/** The exports of the `openapi-typescript` package. */
interface Generator {
  default(description: string): Promise<readonly object[]>;
  astToString(nodes: readonly object[]): string;
}

/**
 * Generates TypeScript types from the OpenAPI description of the service at this URL. Makes all attributes required: they
 * are optional in the description because `fields[type]` can omit them, but the console requests every attribute that it
 * reads.
 */
export async function apiTypes(service: string): Promise<string> {
  const response = await fetch(`${service}/api/v1/openapi.json`);
  if (!response.ok) throw new Error(`${response.url} responded with ${response.status}`);
  const description: Description = JSON.parse(await response.text());
  for (const [name, schema] of Object.entries(description.components.schemas))
    if (name.endsWith('Attributes')) schema.required = Object.keys(schema.properties ?? {});
  const module = pathToFileURL(devToolPath('openapi-typescript/dist/index.mjs'));
  const generator: Generator = await import(module.href);
  return generator.astToString(await generator.default(JSON.stringify(description)));
}
