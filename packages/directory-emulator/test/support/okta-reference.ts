import { existsSync, readdirSync, readFileSync } from 'node:fs';

const REFERENCE = new URL('../../../../../shared/reference/okta/', import.meta.url);

/** The skip reason for tests that need Okta's API description and recordings, which are not part of the repository. */
export const SKIP_WITHOUT_OKTA_REFERENCE = existsSync(REFERENCE)
  ? false
  : "Okta's API description and recorded responses are not available: ../shared/reference/okta is missing.";

/** A response from Okta, as recorded in the tests of its Python SDK. */
interface RecordedResponse {
  /** The method and URL, such as `GET /api/v1/apps?limit=2`. */
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
}

export interface Recording {
  /** The method and path, such as `GET /api/v1/apps`. */
  readonly endpoint: string;
  readonly responses: readonly RecordedResponse[];
  /** Objects that were recorded individually. */
  readonly elements: readonly RecordedResponse[];
}

/** Reads Okta's description of its management API (OpenAPI 3.0.3), reduced to the operations that a scan uses. */
export function readOktaDescription(): unknown {
  return JSON.parse(readFileSync(new URL('openapi.json', REFERENCE), 'utf8'));
}

/** Reads one file of recorded responses, such as `apps`. */
export function readRecording(name: string): Recording {
  const file = readFileSync(new URL(`recorded/${name}.json`, REFERENCE), 'utf8');
  const { endpoint = '', responses = [], elements = [] }: Partial<Recording> = JSON.parse(file);
  return { endpoint, responses, elements };
}

/** Reads all recordings of GET endpoints. */
export function readRecordings(): readonly Recording[] {
  return readdirSync(new URL('recorded/', REFERENCE))
    .map((file) => readRecording(file.replace(/\.json$/, '')))
    .filter(({ endpoint }) => endpoint.startsWith('GET '));
}

/** Reads an example response from Okta's API description, for responses without a recording. */
export function readOktaExample(name: string): unknown {
  const file = readFileSync(new URL('openapi.json', REFERENCE), 'utf8');
  const description: { components: { examples: Record<string, { value: unknown }> } } = JSON.parse(file);
  return description.components.examples[name]?.value;
}
