import { indexIncluded } from '../../../lib/api/included.ts';
import type { Ingestion, Provider, Scan } from '../../../lib/api/types.ts';

/** A scan with its related resources. */
export interface ListedScan {
  readonly scan: Scan;
  /** `undefined` if the provider was just deleted. */
  readonly provider: Provider | undefined;
  /** `undefined` if the key can't read jobs. */
  readonly ingestion: Ingestion | undefined;
}

type Included = Provider | Ingestion;

/** Joins scans with the included resources from the response. */
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
