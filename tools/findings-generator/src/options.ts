import { PROVIDER_NAMES, type ProviderName } from './providers/provider.ts';

/** What a generated file holds. The same options give the same bytes on every run and platform. */
export interface GeneratorOptions {
  /** How many records the file has. */
  records: number;
  /** Changes statuses, mutes, tags and resource metadata; never the identity of a record. */
  seed: number;
  provider: ProviderName;
  /** Cloud accounts (clusters, organizations) the findings are about. */
  accounts: number;
  /** Distinct checks. */
  checks: number;
  /** Distinct resources of each account. */
  resources: number;
  /** Share of FAIL, 0 to 1. Of the rest, 2 in 100 are MANUAL and the others PASS. */
  failShare: number;
  /** Share of records that Sluice must reject, 0 to 1. */
  invalidShare: number;
  /** Share of muted records (`status_id` 3), 0 to 1. */
  mutedShare: number;
  /** When the scan ran, in seconds since 1970. */
  time: number;
  /** The `unmapped.scan_id` of every record; without it one per account, made from seed and time. */
  scanId?: string;
  /** Spaces of indentation; 0 is compact. */
  indent: number;
}

/** What is used for options that are not given. */
export const DEFAULT_OPTIONS: Readonly<GeneratorOptions> = {
  records: 1000,
  seed: 1,
  provider: 'aws',
  accounts: 4,
  checks: 250,
  resources: 1000,
  failShare: 0.3,
  invalidShare: 0,
  mutedShare: 0.02,
  time: 1_785_542_400,
  indent: 4,
};

/** An option has a value that cannot be used. */
export class OptionError extends Error {
  readonly code = 'invalid_option';
  readonly option: keyof GeneratorOptions;
  /** What the value must be, to be read after the option's name. */
  readonly rule: string;

  constructor(option: keyof GeneratorOptions, rule: string) {
    super(`${option} ${rule}`);
    this.name = 'OptionError';
    this.option = option;
    this.rule = rule;
  }
}

/** The options that are numbers, with their ranges. */
export const NUMERIC_OPTIONS = [
  { name: 'records', least: 0, most: 0xffff_ffff, whole: true },
  { name: 'seed', least: 0, most: 0xffff_ffff, whole: true },
  { name: 'accounts', least: 1, most: 10_000, whole: true },
  { name: 'checks', least: 1, most: 100_000, whole: true },
  { name: 'resources', least: 1, most: 0xffff_ffff, whole: true },
  { name: 'failShare', least: 0, most: 1, whole: false },
  { name: 'invalidShare', least: 0, most: 1, whole: false },
  { name: 'mutedShare', least: 0, most: 1, whole: false },
  // From 10^11 on, Sluice takes a time for milliseconds.
  { name: 'time', least: 0, most: 99_999_999_999, whole: true },
  { name: 'indent', least: 0, most: 10, whole: true },
] as const;

export type NumericOption = (typeof NUMERIC_OPTIONS)[number]['name'];

/** Fills in the defaults and refuses a value out of its range with an OptionError. */
export function completeOptions(given: Partial<GeneratorOptions>): GeneratorOptions {
  const options: GeneratorOptions = { ...DEFAULT_OPTIONS, ...given };
  for (const { name, least, most, whole } of NUMERIC_OPTIONS) {
    const value = options[name];
    if (!(value >= least && value <= most) || (whole && !Number.isInteger(value))) {
      throw new OptionError(name, `must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}`);
    }
  }
  if (!PROVIDER_NAMES.includes(options.provider)) {
    throw new OptionError('provider', `must be one of ${PROVIDER_NAMES.join(', ')}`);
  }
  if (options.scanId !== undefined && options.scanId.trim() === '') {
    throw new OptionError('scanId', 'must not be blank');
  }
  return options;
}
