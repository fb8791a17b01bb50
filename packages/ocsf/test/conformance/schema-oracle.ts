import { existsSync } from 'node:fs';
import { readSchemas, type Schema } from '../../scripts/required-attributes.ts';

/** The extracted OCSF data, which is not in the repository. */
export const SCHEMA_FOLDER = new URL('../../../../../shared/reference/ocsf/', import.meta.url);

/** The `skip` option of tests that need the extracted data. */
export const schemaSkipReason = existsSync(SCHEMA_FOLDER)
  ? false
  : 'the extracted OCSF schemas are not available: ../shared/reference/ocsf is missing';

type Fields = Readonly<Record<string, unknown>>;

/** Nested objects are checked up to this depth. */
const MAX_DEPTH = 5;

/** Finds missing attributes by walking a parsed record and the schema of its version side by side. */
export class SchemaOracle {
  readonly #schemas: ReadonlyMap<number, Schema> = readSchemas(SCHEMA_FOLDER);

  /** Returns the pointers of the missing attributes, sorted. */
  missingIn(record: unknown): readonly string[] {
    const metadata = fieldsOf(fieldsOf(record)?.metadata);
    const version = metadata?.version ?? null;
    if (version === null) return ['/metadata/version'];
    const number = typeof version === 'string' ? /^1\.(\d)(\.\d+)?$/.exec(version)?.[1] : undefined;
    const schema = this.#schemas.get(Number(number));
    if (schema === undefined) return [];
    const profiles = metadata?.profiles;
    const declared: readonly unknown[] = Array.isArray(profiles) ? profiles : [];
    const found = new Set<string>();
    const visit = (value: unknown, attributes: Schema['attributes'], path: string, depth: number): void => {
      const fields = fieldsOf(value);
      if (fields === undefined) return;
      for (const [name, { requirement, profile, object, array, type }] of Object.entries(attributes)) {
        if (profile !== undefined && !declared.includes(profile)) continue;
        const here = `${path}/${name}`;
        const member = fields[name] ?? null;
        if (member === null && requirement === 'required') found.add(here);
        const nested = object && depth < MAX_DEPTH ? schema.objects[type] : undefined;
        if (nested === undefined) continue;
        if (!array) visit(member, nested, here, depth + 1);
        else if (Array.isArray(member))
          for (const element of member) visit(element, nested, `${here}/*`, depth + 1);
      }
    };
    visit(record, schema.attributes, '', 0);
    return [...found].sort();
  }
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
