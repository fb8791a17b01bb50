import { MAX_LENGTHS, normalizeProviderType, plainText } from '@sluice/ocsf';
import { z } from 'zod';
import { type ApiError, badRequest } from '../../jsonapi/errors.ts';
import { linePattern } from '../../jsonapi/truncate-texts.ts';

/** The text fields of an upload. Null if absent. */
export interface TextParts {
  readonly provider: string | null;
  readonly account: string | null;
}

/** A text field as returned by the parser. */
export interface ReceivedText {
  /** `undefined` for a part without a name, which the parser's types do not account for. */
  readonly name: string | undefined;
  readonly value: string;
  /** Whether the value was longer than the parser's limit. */
  readonly truncated: boolean;
}

const TEXT_PARTS = ['provider', 'account'] as const;
type TextPart = (typeof TEXT_PARTS)[number];

/** Default ignorable code points (`plainText`) of the Basic Multilingual Plane. */
const INVISIBLE =
  '\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8';
/** The character that replaces bytes that the parser could not decode. */
const UNDECODED = '\ufffd';
const LINE = linePattern(INVISIBLE, '\\s*', UNDECODED);
const line = new RegExp(LINE, 'u');

/** The schema of a text field in the API description. `TextPartsReader` validates the field. */
export function textPart(name: TextPart): z.ZodString {
  return z.string().meta({ pattern: LINE, minLength: 1, maxLength: MAX_LENGTHS[name] });
}

/** Collects the text fields of an upload. */
export class TextPartsReader {
  readonly #texts = new Map<TextPart, string>();

  /** Stores a text field, or returns the error if it is invalid. */
  read({ name, value, truncated }: ReceivedText): ApiError | undefined {
    const part = TEXT_PARTS.find((known) => known === name);
    if (part === undefined) return unexpectedPart(name);
    if (this.#texts.has(part))
      return badPart(part, 'The form field was sent more than once. Send it only once.');
    const text = plainText(value);
    const normalized = part === 'provider' ? normalizeProviderType(text) : text;
    // The normalized text can be longer than the value. If it exceeds the limit, records that use it would be rejected.
    if (truncated || Math.max(value.length, normalized.length) > MAX_LENGTHS[part])
      return badPart(part, `The value is longer than ${MAX_LENGTHS[part]} characters.`);
    if (text === '') return badPart(part, 'The value is blank. Send a value or omit the form field.');
    if (value.includes(UNDECODED))
      return badPart(part, 'The value is not valid UTF-8 or contains U+FFFD. Send valid UTF-8.');
    if (!line.test(value))
      return badPart(
        part,
        'The value contains control characters or line breaks. Send one line of plain text.',
      );
    this.#texts.set(part, text);
    return undefined;
  }

  get texts(): TextParts {
    return { provider: this.#texts.get('provider') ?? null, account: this.#texts.get('account') ?? null };
  }
}

/** Returns the error response for an unknown form field. */
export function unexpectedPart(name: string | undefined): ApiError {
  const field = name === undefined ? 'A form field without a name' : `The form field '${name.slice(0, 100)}'`;
  return badRequest(
    'unexpected_part',
    `${field} is not supported. Send the file in the field 'file' and, optionally, the fields ${TEXT_PARTS.map((part) => `'${part}'`).join(' and ')}.`,
  );
}

function badPart(name: string, detail: string): ApiError {
  return badRequest('invalid_part', detail, { pointer: `/${name}` });
}
