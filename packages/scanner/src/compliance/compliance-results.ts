import type { Thresholds } from '../checks/check.ts';
import type { Finding } from '../checks/finding.ts';
import { LIMIT_NAMES, STIG_LIMITS } from '../checks/stig-limits.ts';
import type { Dialect } from '../directory/dialect.ts';
import type { Framework } from './framework.ts';

/** The results of a scan for one framework. */
export interface ComplianceResult {
  readonly framework: Framework;
  /** The findings of the framework's checks; the status is the result of the requirement. */
  readonly findings: readonly Finding[];
  /** The reasons why requirements fail regardless of the findings, keyed by check ID. */
  readonly lessStrictLimits: ReadonlyMap<string, string>;
}

/**
 * Converts findings to results for each framework. A check that was evaluated with a less strict limit than the
 * framework's does not prove compliance. Its requirement therefore fails with this reason; the finding itself keeps its
 * status.
 */
export function complianceResults(
  findings: readonly Finding[],
  frameworks: readonly Framework[],
  thresholds: Thresholds,
  dialect: Dialect,
): readonly ComplianceResult[] {
  return frameworks.map((framework) => {
    const reasons = reasonsToFail(framework, thresholds);
    const members = findings.filter(({ check }) => framework.requirements(check, dialect).length > 0);
    return {
      framework,
      findings: members.map((finding) => requirementResult(finding, reasons)),
      lessStrictLimits: reasons,
    };
  });
}

function requirementResult(finding: Finding, reasons: ReadonlyMap<string, string>): Finding {
  const reason = reasons.get(finding.check.id);
  if (reason === undefined) return finding;
  const { verdict } = finding;
  return { ...finding, verdict: { ...verdict, status: 'FAIL', detail: `${reason} ${verdict.detail}` } };
}

function reasonsToFail({ limits, phrase }: Framework, thresholds: Thresholds): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const name of LIMIT_NAMES) {
    const max = limits[name];
    const configured = thresholds[name];
    if (max === undefined || configured <= max) continue;
    const { check, unit } = STIG_LIMITS[name];
    reasons.set(
      check,
      `The configured limit of ${configured} ${unit} is less strict than the limit of ${max} ${unit} in ${phrase}, so this result does not prove compliance.`,
    );
  }
  return reasons;
}
