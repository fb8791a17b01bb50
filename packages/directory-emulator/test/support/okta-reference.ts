import { existsSync, readdirSync, readFileSync } from 'node:fs';

const REFERENCE = new URL('../../../../../shared/reference/okta/', import.meta.url);

/** Skips a test that needs Okta's description and recordings, which are not part of the repository. */
export const SKIP_WITHOUT_OKTA_REFERENCE = existsSync(REFERENCE)
  ? false
  : "Okta's API description and recorded responses are not available: ../shared/reference/okta is missing.";

/** A response that Okta gave: recorded in the tests of its Python SDK. */
export interface RecordedResponse {
  /** `GET /api/v1/apps?limit=2` */
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
}

export interface Recording {
  /** `GET /api/v1/apps` */
  readonly endpoint: string;
  readonly responses: readonly RecordedResponse[];
  /** Single objects as the list has them. */
  readonly elements: readonly RecordedResponse[];
}

/** Okta's description of its management API (OpenAPI 3.0.3), cut to the operations of a scan. */
export function readOktaDescription(): unknown {
  return JSON.parse(readFileSync(new URL('openapi.json', REFERENCE), 'utf8'));
}

/** One file of recorded responses: `apps`. */
export function readRecording(name: string): Recording {
  const file = readFileSync(new URL(`recorded/${name}.json`, REFERENCE), 'utf8');
  const { endpoint = '', responses = [], elements = [] }: Partial<Recording> = JSON.parse(file);
  return { endpoint, responses, elements };
}

/** All recordings of reads: those that name their endpoint, except the token endpoint. */
export function readRecordings(): readonly Recording[] {
  return readdirSync(new URL('recorded/', REFERENCE))
    .map((file) => readRecording(file.replace(/\.json$/, '')))
    .filter(({ endpoint }) => endpoint.startsWith('GET '));
}

/** An example response of Okta's description, for what was not recorded. */
export function readOktaExample(name: string): unknown {
  const file = readFileSync(new URL('openapi.json', REFERENCE), 'utf8');
  const description: { components: { examples: Record<string, { value: unknown }> } } = JSON.parse(file);
  return description.components.examples[name]?.value;
}
