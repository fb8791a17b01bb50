import type { CheckMetadata } from '../checks/check.ts';
import type { LimitName } from '../checks/stig-limits.ts';
import type { Dialect } from '../directory/dialect.ts';

/** A requirement of a framework that a check provides evidence for. */
export interface Requirement {
  /** The ID of the requirement, such as `DIRECTORY-APP-000020` or `4.3`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The requirement's row in the compliance table, such as `CAT I (High)`. */
  readonly section: string;
  /** All identifiers of the requirement in records; the first is `id`. */
  readonly identifiers: readonly string[];
  /** One value for each of the framework's `attributes`. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A compliance framework and its mapping of checks to requirements. */
export interface Framework {
  /** Name in records, files and `--compliance`, such as `Directory-IDaaS-STIG-V1R2`. */
  name(dialect: Dialect): string;
  readonly title: string;
  /** The name for use in a sentence, such as `the STIG`. */
  readonly phrase: string;
  readonly description: string;
  /** The term for a section, such as `Category`. */
  readonly sectionTitle: string;
  /** The columns `REQUIREMENTS_ATTRIBUTES_*` of the CSV file, in order. */
  readonly attributes: readonly string[];
  /** The maximum values of the limits that the framework defines. */
  readonly limits: Readonly<Partial<Record<LimitName, number>>>;
  /** Empty if the check is not part of the framework. */
  requirements(check: CheckMetadata, dialect: Dialect): readonly Requirement[];
}
