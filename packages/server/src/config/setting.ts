import { z } from 'zod';

/** Schemas of settings by environment variable. */
export type SettingShape = Readonly<Record<string, z.ZodType<unknown, string | undefined>>>;

/** The parsed values of settings. */
export type SettingValues<Shape extends SettingShape> = {
  readonly [Name in keyof Shape]: z.output<Shape[Name]>;
};

/** The help text of a setting. */
export interface SettingHelp {
  readonly description: string;
  /** The default as text. `undefined` if the setting has no default. */
  readonly default?: string;
}

interface NumberRange {
  readonly default: number;
  readonly min: number;
  readonly max?: number;
  /** Description of a default that depends on the machine or on other settings. */
  readonly shownDefault?: string;
}

/** Reports an invalid value. The message is printed after the name of the setting. */
type Reject = (message: string) => void;

/**
 * A setting of any type. `read` receives the trimmed text of the variable, which is never empty, because a blank
 * variable is treated as not set. After calling `reject`, `read` must still return a value, which rules that involve
 * several settings use.
 */
export function setting<Value>(
  help: SettingHelp,
  fallback: Value,
  read: (text: string, reject: Reject) => Value,
) {
  return z
    .string()
    .optional()
    .transform((value, context): Value => {
      const text = value?.trim() ?? '';
      return text === '' ? fallback : read(text, (message) => context.addIssue({ code: 'custom', message }));
    })
    .meta({ ...help });
}

/** Returns the help text from a setting's schema. */
export function helpOf(schema: z.ZodType): SettingHelp {
  const { description = '', default: fallback } = schema.meta() ?? {};
  return { description, ...(typeof fallback === 'string' && { default: fallback }) };
}

/** A trimmed string. */
export function text(description: string, fallback: string) {
  return setting({ description, default: fallback }, fallback, (value) => value);
}

/** An optional string. */
export function optionalText(description: string) {
  return setting<string | undefined>({ description }, undefined, (value) => value);
}

/** A whole number. */
export function integer(description: string, range: NumberRange) {
  return setting(
    numberHelp(description, range),
    range.default,
    readNumber(/^\d+$/, wholeNumber(range), range, range.default),
  );
}

/** An optional whole number. */
export function optionalInteger(
  description: string,
  range: Omit<NumberRange, 'default'> & { readonly max: number },
) {
  const { shownDefault } = range;
  const help = { description, ...(shownDefault !== undefined && { default: shownDefault }) };
  const read = readNumber(/^\d+$/, wholeNumber(range), range, undefined);
  return setting<number | undefined>(help, undefined, read);
}

/** A number that may have a fractional part. */
export function decimal(description: string, range: NumberRange & { readonly max: number }) {
  const expected = `a number from ${range.min} to ${range.max}`;
  return setting(
    numberHelp(description, range),
    range.default,
    readNumber(/^\d+(?:\.\d+)?$/, expected, range, range.default),
  );
}

/** One of several words, case-insensitive. */
export function oneOf<const Word extends string>(
  description: string,
  words: readonly Word[],
  fallback: NoInfer<Word>,
) {
  return setting<Word>({ description, default: fallback }, fallback, (value, reject) => {
    const word = words.find((each) => each === value.toLowerCase());
    if (word === undefined) reject(`must be one of ${words.join(', ')}, not '${value}'`);
    return word ?? fallback;
  });
}

/** `true` or `false`, case-insensitive. The default is false. */
export function flag(description: string) {
  return setting({ description, default: 'false' }, false, (value, reject) => {
    const word = value.toLowerCase();
    if (word !== 'true' && word !== 'false') reject(`must be true or false, not '${value}'`);
    return word === 'true';
  });
}

/** A URL with one of these protocols, such as `https:`. Error messages omit the value, which may contain a password. */
export function url(description: string, protocols: readonly string[]) {
  return setting<URL | undefined>({ description }, undefined, (value, reject) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (parsed !== undefined && protocols.includes(parsed.protocol)) return parsed;
    reject(`must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
    return undefined;
  });
}

function numberHelp(description: string, { default: fallback, shownDefault }: NumberRange): SettingHelp {
  return { description, default: shownDefault ?? String(fallback) };
}

function wholeNumber({ min, max }: Pick<NumberRange, 'min' | 'max'>): string {
  return max === undefined ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`;
}

function readNumber<Fallback>(
  pattern: RegExp,
  expected: string,
  { min, max = Number.MAX_SAFE_INTEGER }: Pick<NumberRange, 'min' | 'max'>,
  fallback: Fallback,
) {
  return (value: string, reject: Reject): number | Fallback => {
    const number = pattern.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    reject(`must be ${expected}, not '${value}'`);
    return fallback;
  };
}
