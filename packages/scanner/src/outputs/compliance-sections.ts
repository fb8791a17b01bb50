import type { ComplianceResult } from '../compliance/compliance-results.ts';
import type { Dialect } from '../directory/dialect.ts';
import type { Finding } from '../finding.ts';

/** The findings of each section, sorted by section name: `8.2` before `8.12`. A finding can belong to several sections. */
export function complianceSections(
  { framework, findings }: ComplianceResult,
  dialect: Dialect,
): readonly (readonly [string, readonly Finding[]])[] {
  const sections = new Map<string, Finding[]>();
  for (const finding of findings) {
    const names = framework.requirements(finding.check, dialect).map(({ section }) => section);
    for (const name of new Set(names)) {
      const members = sections.get(name);
      if (members === undefined) sections.set(name, [finding]);
      else members.push(finding);
    }
  }
  return [...sections].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
}
