import { z } from 'zod';
import { LINE_PATTERN, readLine } from './text-line.ts';

/** The labels of an upload, such as its branch and commit: values by key. */
export type Labels = Readonly<Record<string, string>>;

export const MAX_LABELS = 10;
/** In UTF-16 code units. */
const MAX_VALUE_LENGTH = 1024;
const KEY = '[A-Za-z0-9][A-Za-z0-9._\\/\\-]{0,62}';
const LABEL = new RegExp(`^(${KEY})=(.*)$`, 'su');

/** The schema of a label in the API description. `readLabel` validates it. */
export const label = z
  .string()
  .meta({ pattern: `^${KEY}=${LINE_PATTERN.slice(1)}`, examples: ['branch=main'] });

/** A valid label, or why the text is invalid. */
export type ReadLabel =
  | { readonly key: string; readonly value: string; readonly fault?: never }
  | { readonly fault: string };

/** Reads a label `key=value`. `truncated` is whether the end of the text was cut off. */
export function readLabel(text: string, truncated = false): ReadLabel {
  const [, key, rest] = LABEL.exec(text) ?? [];
  if (key === undefined || rest === undefined)
    return {
      fault:
        "A label has the form 'key=value'. Begin the key with a letter or a digit, and use up to 63 letters, digits, '.', '_', '/' and '-'.",
    };
  const { text: value, fault } = readLine(rest, MAX_VALUE_LENGTH, truncated);
  return fault === undefined ? { key, value } : { fault };
}

/**
 * Splits labels that are separated by commas. A value can contain commas, except before a text that has the form of a
 * label.
 */
export function splitLabels(text: string): readonly string[] {
  return text.split(new RegExp(`,(?=${KEY}=)`, 'u'));
}
