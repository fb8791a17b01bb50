import type { Thresholds } from '../checks/check.ts';
import { STIG_LIMITS } from '../checks/stig-limits.ts';
import type { Finding } from '../finding.ts';

/**
 * The findings as they stand to the STIG: one that was judged by a looser limit than the STIG's is no proof of
 * compliance, whatever its verdict, so it fails there and says why.
 */
export function stigFindings(findings: readonly Finding[], thresholds: Thresholds): readonly Finding[] {
  const { maxSessionIdleMinutes, maxSessionLifetimeMinutes, adminConsoleMaxIdleMinutes, maxInactivityDays } =
    STIG_LIMITS;
  const limits = [
    { ...maxSessionIdleMinutes, configured: thresholds.maxSessionIdleMinutes },
    { ...maxSessionLifetimeMinutes, configured: thresholds.maxSessionLifetimeMinutes },
    { ...adminConsoleMaxIdleMinutes, configured: thresholds.adminConsoleMaxIdleMinutes },
    { ...maxInactivityDays, configured: thresholds.maxInactivityDays },
  ];
  const looser = new Map<string, string>(
    limits
      .filter(({ configured, most }) => configured > most)
      .map(({ check, configured, most, unit }) => [
        check,
        `The configured limit of ${configured} ${unit} is looser than the ${most} ${unit} of the STIG, so this is no proof of compliance.`,
      ]),
  );
  return findings.map((finding) => {
    const why = looser.get(finding.check.id);
    if (why === undefined) return finding;
    const { verdict } = finding;
    return { ...finding, verdict: { ...verdict, status: 'FAIL', detail: `${why} ${verdict.detail}` } };
  });
}
