import type { Finding, ScanInfo } from '../finding.ts';

type Account = Pick<ScanInfo, 'provider' | 'orgDomain'>;

/**
 * One identifier per finding, in their order: the same in every scan, so that a receiver recognises the finding,
 * and unique within the scan. Where a check evaluates two resources of one id, the later ones get a number behind it.
 */
export function findingUids(findings: readonly Finding[], scan: Account): string[] {
  const plain = findings.map((finding) => plainUid(finding, scan));
  const taken = new Set(plain);
  const used = new Set<string>();
  return plain.map((uid) => {
    let unique = uid;
    // A number that makes the uid of another resource is passed over: `a#2` may be a resource id, too.
    for (let count = 2; used.has(unique) || (unique !== uid && taken.has(unique)); count += 1) {
      unique = `${uid}#${count}`;
    }
    used.add(unique);
    return unique;
  });
}

function plainUid({ check, verdict }: Finding, { provider, orgDomain }: Account): string {
  return `sluice-${provider}-${check.id}-${orgDomain}-global-${verdict.resource.id}`;
}
