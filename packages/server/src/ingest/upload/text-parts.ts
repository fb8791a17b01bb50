import { MAX_LENGTHS, normalizeProviderType } from '@sluice/ocsf';
import { z } from 'zod';
import { type ApiError, badRequest } from '../../jsonapi/errors.ts';
import { quoteNames } from '../../jsonapi/filters.ts';
import { COVERAGES, type Coverage, DEFAULT_COVERAGE, findCoverage } from './coverage.ts';
import { type Labels, MAX_LABELS, readLabel } from './labels.ts';
import { LINE_PATTERN, type ReadText, readLine, tooLong } from './text-line.ts';

/** The text fields of an upload. */
export interface TextParts {
  /** Null if absent. */
  readonly provider: string | null;
  readonly account: string | null;
  readonly coverage: Coverage;
  /** Whether the upload only reports what it would do. */
  readonly dryRun: boolean;
  readonly labels: Labels;
}

/** A text field as returned by the parser. */
export interface ReceivedText {
  /** `undefined` for a part without a name, which the parser's types do not account for. */
  readonly name: string | undefined;
  readonly value: string;
  /** Whether the value was longer than the parser's limit. */
  readonly truncated: boolean;
}

/** The names of the text fields, for messages. */
export const TEXT_PARTS = "'provider', 'account', 'coverage', 'dry_run' and 'label'";

const DEFAULTS = ['provider', 'account'] as const;
export type TextPart = (typeof DEFAULTS)[number];
const COVERAGE = 'coverage';
const DRY_RUN = 'dry_run';
const LABEL = 'label';

const SENT_TWICE = 'The form field was sent more than once. Send it only once.';

/** The schema of a default in the API description. `readText` validates the field. */
export function textPart(name: TextPart): z.ZodString {
  return z.string().meta({ pattern: LINE_PATTERN, minLength: 1, maxLength: MAX_LENGTHS[name] });
}

/** Validates the default for a provider or an account. `truncated` is whether the end of the value was cut off. */
export function readText(part: TextPart, value: string, truncated = false): ReadText {
  const read = readLine(value, MAX_LENGTHS[part], truncated);
  // The normalized text can be longer than the value. If it exceeds the limit, records that use it would be rejected.
  if (part === 'provider' && normalizeProviderType(read.text ?? '').length > MAX_LENGTHS[part])
    return { fault: tooLong(MAX_LENGTHS[part]) };
  return read;
}

/** Collects the text fields of an upload. */
export class TextPartsReader {
  readonly #texts = new Map<TextPart, string>();
  readonly #labels = new Map<string, string>();
  #coverage: Coverage | undefined;
  #dryRun: boolean | undefined;

  /** Stores a text field, or returns the error if it is invalid. */
  read({ name, value, truncated }: ReceivedText): ApiError | undefined {
    if (name === LABEL) return this.#readLabel(value, truncated);
    if (name === COVERAGE) return this.#readCoverage(value);
    if (name === DRY_RUN) return this.#readDryRun(value);
    const part = DEFAULTS.find((known) => known === name);
    if (part === undefined) return unexpectedPart(name);
    if (this.#texts.has(part)) return badPart(part, SENT_TWICE);
    const { text, fault } = readText(part, value, truncated);
    if (fault !== undefined) return badPart(part, fault);
    this.#texts.set(part, text);
    return undefined;
  }

  #readCoverage(text: string): ApiError | undefined {
    if (this.#coverage !== undefined) return badPart(COVERAGE, SENT_TWICE);
    this.#coverage = findCoverage(text);
    return this.#coverage === undefined
      ? badPart(COVERAGE, `The value is not a coverage. Valid values are ${quoteNames(COVERAGES)}.`)
      : undefined;
  }

  #readDryRun(text: string): ApiError | undefined {
    if (this.#dryRun !== undefined) return badPart(DRY_RUN, SENT_TWICE);
    if (text !== 'true' && text !== 'false')
      return badPart(DRY_RUN, "The value is not a boolean. Valid values are 'true' and 'false'.");
    this.#dryRun = text === 'true';
    return undefined;
  }

  #readLabel(text: string, truncated: boolean): ApiError | undefined {
    const label = readLabel(text, truncated);
    if (label.fault !== undefined) return badPart(LABEL, label.fault);
    const { key, value } = label;
    if (this.#labels.has(key))
      return badPart(LABEL, `The label '${key}' was sent more than once. Send each key only once.`);
    if (this.#labels.size === MAX_LABELS)
      return badPart(LABEL, `The upload has more than ${MAX_LABELS} labels. Send fewer labels.`);
    this.#labels.set(key, value);
    return undefined;
  }

  get texts(): TextParts {
    return {
      provider: this.#texts.get('provider') ?? null,
      account: this.#texts.get('account') ?? null,
      coverage: this.#coverage ?? DEFAULT_COVERAGE,
      dryRun: this.#dryRun ?? false,
      labels: Object.fromEntries(this.#labels),
    };
  }
}

/** Returns the error response for an unknown form field. */
export function unexpectedPart(name: string | undefined): ApiError {
  const field = name === undefined ? 'A form field without a name' : `The form field '${name.slice(0, 100)}'`;
  return badRequest(
    'unexpected_part',
    `${field} is not supported. Send the file in the field 'file' and, optionally, the fields ${TEXT_PARTS}.`,
  );
}

function badPart(name: string, detail: string): ApiError {
  return badRequest('invalid_part', detail, { pointer: `/${name}` });
}
