import { indexIncluded } from '../../../lib/api/included.ts';
import type { Ingestion, Provider, Scan } from '../../../lib/api/types.ts';

/** A scan with what it belongs to. */
export interface ListedScan {
  readonly scan: Scan;
  /** `undefined`: it was deleted at this moment. */
  readonly provider: Provider | undefined;
  /** `undefined`: the key may not read jobs. */
  readonly ingestion: Ingestion | undefined;
}

type Included = Provider | Ingestion;

/** Puts scans together with what came along with them. */
export function toListedScans(
  scans: readonly Scan[],
  included: readonly Included[] | undefined,
): readonly ListedScan[] {
  const providers = indexIncluded(included, 'providers');
  const ingestions = indexIncluded(included, 'ingestions');
  return scans.map((scan) => ({
    scan,
    provider: providers.get(scan.relationships.provider.data?.id ?? ''),
    ingestion: ingestions.get(scan.relationships.ingestion.data?.id ?? ''),
  }));
}
