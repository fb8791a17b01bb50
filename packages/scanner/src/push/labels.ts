import { usageError } from '../lib/errors.ts';

/** The labels of an upload by key. */
export type Labels = Readonly<Record<string, string>>;

/** The limits of the service. */
const MAX_LABELS = 10;
const MAX_VALUE_LENGTH = 1024;
const LABEL = /^([A-Za-z0-9][A-Za-z0-9._/-]{0,62})=(.*)$/su;
const CONTROL = /\p{Cc}/u;

/** Reads the labels of the command line. Throws a ScannerError (exit code 2). */
export function readLabels(texts: readonly string[]): Labels {
  if (texts.length > MAX_LABELS) throw usageError(`--label can be used at most ${MAX_LABELS} times`);
  const labels = new Map<string, string>();
  for (const text of texts) {
    const [, key, value] = LABEL.exec(text) ?? [];
    if (key === undefined || value === undefined)
      throw usageError(
        `--label ${JSON.stringify(text)} is not of the form key=value, with a key of up to 63 letters, digits, '.', '_', '/' and '-' that begins with a letter or digit`,
      );
    if (value.trim() === '') throw usageError(`--label ${key} has no value`);
    if (value.length > MAX_VALUE_LENGTH)
      throw usageError(`the value of --label ${key} is longer than ${MAX_VALUE_LENGTH} characters`);
    if (CONTROL.test(value) || !value.isWellFormed())
      throw usageError(`the value of --label ${key} is not one line of plain text`);
    if (labels.has(key)) throw usageError(`--label ${key} is used more than once`);
    labels.set(key, value);
  }
  return Object.fromEntries(labels);
}
