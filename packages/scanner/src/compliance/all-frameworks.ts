import type { Check, CheckMetadata } from '../checks/check.ts';
import type { Dialect } from '../directory/dialect.ts';
import { matchKnownValues } from '../lib/known-values.ts';
import { CIS_CONTROLS } from './cis-controls.ts';
import type { Framework, Requirement } from './framework.ts';
import { STIG } from './stig.ts';

/** All frameworks, in display order. */
export const ALL_FRAMEWORKS: readonly Framework[] = [STIG, CIS_CONTROLS];

/**
 * The frameworks that `--compliance` names, in the order of `ALL_FRAMEWORKS`. Throws a ScannerError with the code
 * `unknown_compliance_framework` (exit code 2) that suggests the closest known framework.
 */
export function namedFrameworks(words: readonly string[], dialect: Dialect): readonly Framework[] {
  const names = ALL_FRAMEWORKS.map((framework) => framework.name(dialect));
  const named = new Set(matchKnownValues(words, names, { noun: 'compliance framework' }));
  return ALL_FRAMEWORKS.filter((framework) => named.has(framework.name(dialect)));
}

/**
 * The frameworks that a scan reports: those of `--compliance` or, by default, all frameworks with complete results,
 * that is, those whose checks are all selected.
 */
export function reportedFrameworks(
  words: readonly string[],
  chosen: readonly Check[],
  all: readonly Check[],
  dialect: Dialect,
): readonly Framework[] {
  if (words.length > 0) return namedFrameworks(words, dialect);
  const ids = new Set(chosen.map(({ id }) => id));
  return ALL_FRAMEWORKS.filter((framework) =>
    checksOf(framework, all, dialect).every(({ id }) => ids.has(id)),
  );
}

/** The checks that provide evidence for a requirement of the framework. */
export function checksOf(framework: Framework, checks: readonly Check[], dialect: Dialect): readonly Check[] {
  return checks.filter((check) => framework.requirements(check, dialect).length > 0);
}

/** The requirements of a check in one framework. */
export interface CheckCompliance {
  readonly framework: Framework;
  readonly name: string;
  readonly requirements: readonly Requirement[];
}

/**
 * The requirements for which a check provides evidence, by framework. Frameworks without such requirements are omitted.
 */
export function complianceOf(check: CheckMetadata, dialect: Dialect): readonly CheckCompliance[] {
  return ALL_FRAMEWORKS.map((framework) => ({
    framework,
    name: framework.name(dialect),
    requirements: framework.requirements(check, dialect),
  })).filter(({ requirements }) => requirements.length > 0);
}
