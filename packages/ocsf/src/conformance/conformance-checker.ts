import { isObject } from '../detection-finding/fields.ts';
import type { JsonObject } from '../extract/field-layout.ts';
import { type Declaration, declarationOf } from './applicable-attributes.ts';
import {
  decodeMissingAttributes,
  findMissingAttributes,
  type MissingAttribute,
} from './missing-attributes.ts';

/** Maximum number of remembered results, so that records that are all different do not fill the memory. */
const MAX_KNOWN = 256;
/** Maximum length of what a remembered result depends on. */
const MAX_KEY = 2000;

/**
 * Checks Detection Findings for required attributes that are missing. Most records of a file lack the same ones, so
 * results are remembered.
 */
export class ConformanceChecker {
  readonly #known = new Map<string, readonly MissingAttribute[]>();
  #lastCode: string | undefined;
  #lastDeclaration: Declaration | undefined;
  #last: readonly MissingAttribute[] = [];

  /**
   * Returns the attributes that OCSF requires for the record's version and profiles but that are missing or null, each
   * once. A value that is not an object lacks none. `code` is the record's `ExtractReader.missing`, or `undefined` if the record was parsed in full.
   */
  check(record: unknown, code: string | undefined): readonly MissingAttribute[] {
    if (!isObject(record)) return [];
    if (code === undefined) return findMissingAttributes(record);
    const declaration = declarationOf(record);
    const { version, profiles } = declaration;
    // The reader of an extract returns the same array as long as the text of the field is the same.
    const isSame =
      code === this.#lastCode &&
      version === this.#lastDeclaration?.version &&
      profiles === this.#lastDeclaration?.profiles;
    if (!isSame) {
      this.#lastCode = code;
      this.#lastDeclaration = declaration;
      this.#last = this.#decode(record, code, JSON.stringify([version, profiles, code]));
    }
    return this.#last;
  }

  #decode(record: JsonObject, code: string, key: string): readonly MissingAttribute[] {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const missing = decodeMissingAttributes(record, code);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    if (key.length <= MAX_KEY) this.#known.set(key, missing);
    return missing;
  }
}
