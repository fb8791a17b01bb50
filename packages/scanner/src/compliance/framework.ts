import type { CheckMetadata, Thresholds } from '../checks/check.ts';
import type { Dialect } from '../directory/dialect.ts';

/** One requirement of a framework, as far as a check provides evidence for it. */
export interface Requirement {
  /** `DIRECTORY-APP-000020`, `4.3` */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The group of requirements that is a row of the compliance table: `CAT I (High)`. */
  readonly section: string;
  /** All identifiers under which records name the requirement; the first is `id`. */
  readonly identifiers: readonly string[];
  /** A value for each of the framework's `attributes`. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** The limits that the configuration can change. */
export type LimitName = Exclude<keyof Thresholds, 'approvedIssuers'>;

/** A compliance framework: what it is called, and which of its requirements each check provides evidence for. */
export interface Framework {
  /** Its name in records and files, and the word of `--compliance`: `Directory-IDaaS-STIG-V1R2`. */
  name(dialect: Dialect): string;
  readonly title: string;
  /** Its name within a sentence: `the STIG`. */
  readonly phrase: string;
  readonly description: string;
  /** What a section is called: `Category`. */
  readonly sectionTitle: string;
  /** The names of the columns `REQUIREMENTS_ATTRIBUTES_*` of its CSV, in their order. */
  readonly attributes: readonly string[];
  /** The largest value that the framework allows for each limit; a limit that it does not name is missing. */
  readonly limits: Readonly<Partial<Record<LimitName, number>>>;
  /** Empty where the check is not part of the framework. */
  requirements(check: CheckMetadata, dialect: Dialect): readonly Requirement[];
}
