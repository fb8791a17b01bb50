import type { DetectionFinding, FindingResource } from '@sluice/ocsf';
import { derivedId } from '../../lib/derived-id.ts';
import { PairMap } from '../../lib/pair-map.ts';
import type { CheckReference } from './ensure-checks.ts';
import type { FacetReference } from './ensure-facets.ts';
import type { ResourceReference } from './ensure-resources.ts';
import { isNewer } from './resource-attributes.ts';

/** Until `ReferenceStores.ensure` sets the key. */
const NO_KEY = 0;
/** No text contains U+0000. */
const NULL = '\0';
const NO_OTHERS: readonly ResourceReference[] = [];
/** Bounds the memory of a frame: 5,000 records with 100 resources each would take 220 MB. */
const MAX_RESOURCES = 50_000;

/**
 * The checks, facets and resources to which the findings of a frame refer, one object each. Rows are read before their
 * keys are known, and hold these objects until then.
 */
export class FrameReferences {
  /** By provider type and check id. */
  readonly checks = new PairMap<CheckReference>();
  readonly facets: FacetReference[] = [];
  /** By provider and uid. */
  readonly resources = new PairMap<ResourceReference>();
  /** How often a further resource of a finding was left out, because the frame names too many. */
  omitted = 0;
  /** By service and region, and by resource type and product. */
  readonly #facets = new PairMap<PairMap<FacetReference>>();
  readonly #hasPatterns: boolean;

  /** `hasPatterns` is whether resources get a uid pattern. */
  constructor(hasPatterns: boolean) {
    this.#hasPatterns = hasPatterns;
  }

  check({ providerType, checkId }: DetectionFinding): CheckReference {
    const known = this.checks.get(providerType, checkId);
    if (known !== undefined) return known;
    const check = { key: NO_KEY, checkId };
    this.checks.set(providerType, checkId, check);
    return check;
  }

  facet({ resources: [first], region, product }: DetectionFinding): FacetReference {
    const service = first?.service ?? null;
    const resourceType = first?.type ?? null;
    let facets = this.#facets.get(service ?? NULL, region ?? NULL);
    if (facets === undefined) {
      facets = new PairMap();
      this.#facets.set(service ?? NULL, region ?? NULL, facets);
    }
    const known = facets.get(resourceType ?? NULL, product ?? NULL);
    if (known !== undefined) return known;
    const id = derivedId(...[service, region, resourceType, product].map(marked));
    const facet = { id, key: NO_KEY, service, region, resourceType, product };
    facets.set(resourceType ?? NULL, product ?? NULL, facet);
    this.facets.push(facet);
    return facet;
  }

  /** Returns the further resources of a finding, like `resource`. Leaves out new ones above the maximum of a frame. */
  others(providerId: string, finding: DetectionFinding): readonly ResourceReference[] {
    if (finding.resources.length < 2) return NO_OTHERS;
    return finding.resources.slice(1).flatMap((other) => {
      if (other.uid === null) return [];
      if (this.resources.size < MAX_RESOURCES || this.resources.has(providerId, other.uid))
        return this.resource(providerId, other, finding) ?? [];
      this.omitted++;
      return [];
    });
  }

  /**
   * Returns the resource with its attributes from the newest record so far; null if it has no uid. The finding of its
   * first reference determines the uid pattern of a new resource.
   */
  resource(
    providerId: string,
    resource: FindingResource | undefined,
    { time, uid, checkId }: DetectionFinding,
  ): ResourceReference | null {
    if (resource === undefined || resource.uid === null) return null;
    const known = this.resources.get(providerId, resource.uid);
    if (known !== undefined) {
      if (isNewer({ time, attributes: resource }, known)) {
        known.time = time;
        known.attributes = resource;
      }
      return known;
    }
    const reference: ResourceReference = {
      id: '',
      key: NO_KEY,
      providerId,
      uid: resource.uid,
      attributes: resource,
      time,
      finding: this.#hasPatterns ? { uid, checkId } : null,
      uidPattern: null,
      version: null,
    };
    this.resources.set(providerId, resource.uid, reference);
    return reference;
  }
}

/** Distinguishes null from an empty text. */
function marked(value: string | null): string {
  return value === null ? '' : `\u0001${value}`;
}
