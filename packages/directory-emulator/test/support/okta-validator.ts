import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import { isObject, type JsonObject, toJsonSchema, toJsonSchemas } from './json-schema.ts';
import { type Recording, readOktaDescription, readRecordings } from './okta-reference.ts';

/** Reports violations of Okta's API description. */
export interface OktaValidator {
  /**
   * Checks the body of a response to a request, such as `/api/v1/policies/00p1/rules?limit=1`. Returns one line per type of
   * violation. Violations in lists and in single objects are reported in the same way.
   */
  violations(request: string, body: unknown): readonly string[];
}

/**
 * Validates responses against Okta's API description. The description is inaccurate, so violations that also occur at the
 * same path in Okta's own recorded responses are tolerated.
 */
export function createOktaValidator(): OktaValidator {
  const raw = rawValidator();
  const tolerated = new Set(readRecordings().flatMap((recording) => violationsOf(recording, raw)));
  return {
    violations: (request, body) => raw(request, body).filter((violation) => !tolerated.has(violation)),
  };
}

type RawValidator = (request: string, body: unknown) => readonly string[];

/** Returns the violations of recorded responses. Each list element is validated as a single-object list. */
function violationsOf({ endpoint, responses, elements }: Recording, raw: RawValidator): readonly string[] {
  const request = endpoint.replace('GET ', '');
  return [
    ...responses.flatMap(({ body }) => raw(request, body)),
    ...elements.flatMap(({ body }) => raw(request, [body])),
  ];
}

function rawValidator(): RawValidator {
  const description = readOktaDescription();
  const { paths, components } = objectOf(description);
  const schemas = objectOf(objectOf(components).schemas);
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true, verbose: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'okta', components: { schemas: toJsonSchemas(schemas) } });
  const operations = Object.entries(objectOf(paths)).map(([path, item]) => {
    const schema = withAbsoluteReferences(toJsonSchema(responseSchema(item), schemas));
    return { path, pattern: patternOf(path), validate: ajv.compile(objectOf(schema)) };
  });
  return (request, body) => {
    const path = request.replace(/\?.*$/, '');
    const operation = operations.find(({ pattern }) => pattern.test(path));
    if (operation === undefined) return [`${path}: not in Okta's API description`];
    operation.validate(body);
    const errors = operation.validate.errors ?? [];
    const resource = operation.path.replace(/\/\{[^}]*\}$/, '');
    return [...new Set(errors.filter(isCause).map((error) => `${resource} ${formatError(error)}`))];
  };
}

/** Whether the error is a root cause rather than the summary of a failed schema combination. */
function isCause({ keyword }: ErrorObject): boolean {
  return keyword !== 'if' && keyword !== 'anyOf';
}

/** Formats an error without array indexes, so that the same violation in several objects is reported only once. */
function formatError({ instancePath, keyword, message, data }: ErrorObject): string {
  const location = instancePath.replaceAll(/\/\d+/g, '/*').replace(/^\/\*(?=\/|$)/, '');
  const actual = data === null || keyword === 'enum' ? `, not ${JSON.stringify(data)}` : '';
  return `${location}: ${message}${actual}`;
}

function responseSchema(item: unknown): unknown {
  const { responses } = objectOf(objectOf(item).get);
  const { content } = objectOf(objectOf(responses)['200']);
  return objectOf(objectOf(content)['application/json']).schema;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`);
}

function withAbsoluteReferences(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"okta#/components/'));
}

function objectOf(value: unknown): JsonObject {
  if (!isObject(value)) throw new TypeError("Okta's API description has an unexpected structure.");
  return value;
}
