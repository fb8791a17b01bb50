import { MAX_LENGTHS, normalizeProviderType, plainText } from '@sluice/ocsf';
import { z } from 'zod';
import { type ApiError, badRequest } from '../jsonapi/errors.ts';
import { linePattern } from '../jsonapi/short-text.ts';

/** The text parts of an upload, where they were sent. */
export interface TextParts {
  readonly provider: string | null;
  readonly account: string | null;
}

/** A text part as the parser has read it. */
export interface ReceivedText {
  /** The parser's types leave out that a part may have no name. */
  readonly name: string | undefined;
  readonly value: string;
  /** Whether it was longer than what the parser keeps. */
  readonly truncated: boolean;
}

const TEXT_PARTS = ['provider', 'account'] as const;
type TextPart = (typeof TEXT_PARTS)[number];

/** Default ignorable code points (`plainText`) of the basic plane. */
const INVISIBLE =
  '\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8';
/** The parser's mark of bytes that it could not decode. */
const UNDECODED = '\ufffd';
const LINE = linePattern(INVISIBLE, '\\s*', UNDECODED);
const line = new RegExp(LINE, 'u');

/** The schema of a text part, for the description; `TextPartsReader` reads it. */
export function textPart(name: TextPart): z.ZodString {
  return z.string().meta({ pattern: LINE, minLength: 1, maxLength: MAX_LENGTHS[name] });
}

/** Collects the text parts of one upload. */
export class TextPartsReader {
  readonly #texts = new Map<TextPart, string>();

  /** Keeps a text, or says what is wrong with it. */
  read({ name, value, truncated }: ReceivedText): ApiError | undefined {
    const part = TEXT_PARTS.find((known) => known === name);
    if (part === undefined) return unexpectedPart(name);
    if (this.#texts.has(part)) return badPart(part, `The part '${part}' is there twice; send it once`);
    const text = plainText(value);
    const normalized = part === 'provider' ? normalizeProviderType(text) : text;
    // Normalized it can be longer, and would be rejected then as a field of a record.
    if (truncated || Math.max(value.length, normalized.length) > MAX_LENGTHS[part])
      return badPart(part, `The part '${part}' is longer than ${MAX_LENGTHS[part]} characters`);
    if (text === '') return badPart(part, `The part '${part}' is blank; leave it out or give it a value`);
    if (value.includes(UNDECODED))
      return badPart(part, `The part '${part}' is not valid UTF-8, or contains U+FFFD; send the text itself`);
    if (!line.test(value))
      return badPart(
        part,
        `The part '${part}' contains control characters or line breaks; send one line of plain text`,
      );
    this.#texts.set(part, text);
    return undefined;
  }

  get texts(): TextParts {
    return { provider: this.#texts.get('provider') ?? null, account: this.#texts.get('account') ?? null };
  }
}

/** The answer to a part that an upload does not have. */
export function unexpectedPart(name: string | undefined): ApiError {
  const which = name === undefined ? 'A part without a name' : `The part '${name.slice(0, 100)}'`;
  return badRequest(
    'unexpected_part',
    `${which} is not known; an upload has the file as 'file', and may have the texts ${TEXT_PARTS.map((part) => `'${part}'`).join(' and ')}`,
  );
}

function badPart(name: string, detail: string): ApiError {
  return badRequest('invalid_part', detail, { pointer: `/${name}` });
}
