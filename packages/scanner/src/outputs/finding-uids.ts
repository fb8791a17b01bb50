import type { Finding, ScanInfo } from '../checks/finding.ts';

type Account = Pick<ScanInfo, 'provider' | 'orgDomain'>;

/**
 * Creates one identifier per finding: stable across scans, so that a receiver recognizes the finding, and unique within
 * the scan. If a check evaluates several resources with the same ID, a number is appended to the identifiers of all but
 * the first.
 */
export function findingUids(findings: readonly Finding[], scan: Account): string[] {
  const plain = findings.map((finding) => plainUid(finding, scan));
  const plainUids = new Set(plain);
  const used = new Set<string>();
  return plain.map((uid) => {
    let unique = uid;
    // Skip numbers that result in the UID of another resource, because `a#2` can be a resource ID.
    for (let count = 2; used.has(unique) || (unique !== uid && plainUids.has(unique)); count += 1) {
      unique = `${uid}#${count}`;
    }
    used.add(unique);
    return unique;
  });
}

function plainUid({ check, verdict }: Finding, { provider, orgDomain }: Account): string {
  return `sluice-${provider}-${check.id}-${orgDomain}-global-${verdict.resource.id}`;
}
