import { PROVIDER_NAMES, type ProviderName } from './providers/provider.ts';

/** The contents of a generated file. The same options produce the same bytes on every run and platform. */
export interface GeneratorOptions {
  /** Number of records. */
  records: number;
  /** Random seed for statuses, muting, tags, and resource metadata. It does not affect the identities of records. */
  seed: number;
  provider: ProviderName;
  /** Number of cloud accounts (clusters, organizations). */
  accounts: number;
  /** Number of checks. */
  checks: number;
  /** Number of resources of each type per account. Each check evaluates all resources of one type. */
  resources: number;
  /** Share of FAIL records, 0 to 1. Of the remaining records, 2% are MANUAL and 98% are PASS. */
  failShare: number;
  /** Share of records that Sluice rejects, 0 to 1. */
  invalidShare: number;
  /** Share of muted records (`status_id` 3), 0 to 1. */
  mutedShare: number;
  /** Scan time in Unix seconds. */
  time: number;
  /**
   * The `unmapped.scan_id` of all records. By default, each account has its own scan ID, derived from the seed and the
   * time.
   */
  scanId?: string;
  /** Spaces per indentation level; 0 is compact. */
  indent: number;
}

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

/** Thrown if the value of an option is invalid. */
export class OptionError extends Error {
  readonly code = 'invalid_option';
  readonly option: keyof GeneratorOptions;
  /** The requirement, phrased to follow the name of the option, such as "must be ...". */
  readonly rule: string;

  constructor(option: keyof GeneratorOptions, rule: string) {
    super(`${option} ${rule}`);
    this.name = 'OptionError';
    this.option = option;
    this.rule = rule;
  }
}

/** Numeric options and their ranges. */
export const NUMERIC_OPTIONS = [
  { name: 'records', min: 0, max: 0xffff_ffff, integer: true },
  { name: 'seed', min: 0, max: 0xffff_ffff, integer: true },
  { name: 'accounts', min: 1, max: 10_000, integer: true },
  { name: 'checks', min: 1, max: 100_000, integer: true },
  { name: 'resources', min: 1, max: 0xffff_ffff, integer: true },
  { name: 'failShare', min: 0, max: 1, integer: false },
  { name: 'invalidShare', min: 0, max: 1, integer: false },
  { name: 'mutedShare', min: 0, max: 1, integer: false },
  // Sluice interprets times from 10^11 as milliseconds.
  { name: 'time', min: 0, max: 99_999_999_999, integer: true },
  { name: 'indent', min: 0, max: 10, integer: true },
] as const;

export type NumericOption = (typeof NUMERIC_OPTIONS)[number]['name'];

/** Adds the defaults. Throws an OptionError if a value is out of range. */
export function completeOptions(requested: Partial<GeneratorOptions>): GeneratorOptions {
  const options: GeneratorOptions = { ...DEFAULT_OPTIONS, ...requested };
  for (const { name, min, max, integer } of NUMERIC_OPTIONS) {
    const value = options[name];
    if (!(value >= min && value <= max) || (integer && !Number.isInteger(value))) {
      throw new OptionError(name, `must be ${integer ? 'an integer' : 'a number'} from ${min} to ${max}`);
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
