import type { NonEmpty, Random } from '../random.ts';
import type { JsonObject, Placement, ResourceType } from '../resource-types/resource-type.ts';

/** A security requirement for one resource type, with the title and descriptions of the check that evaluates it. */
export interface Control {
  resource: ResourceType;
  service: string;
  /** The check ID without the service. */
  code: string;
  /** The requirement, phrased as a statement about a compliant resource. */
  title: string;
  desc: string;
  risk: string;
  remedy: string;
  /** The text that follows the name of a compliant resource. */
  pass: string;
  /** The text that follows the name of a noncompliant resource. */
  fail: string;
  /** The permission that a scanner needs. Without this permission, the result is MANUAL. */
  permission: string;
  /** OCSF `severity_id`, from 1 (informational) to 5 (critical). */
  severity: 1 | 2 | 3 | 4 | 5;
  category: Category;
  /**
   * The attributes of the resource that the check evaluates. They are added to its metadata and agree with the result.
   */
  evidence(passed: boolean, at: Placement, random: Random): JsonObject;
}

export type Category =
  | 'encryption'
  | 'identity-access'
  | 'internet-exposed'
  | 'logging'
  | 'resilience'
  | 'secrets'
  | 'vulnerabilities';

/** The controls of a provider. */
export interface Catalog {
  controls: NonEmpty<Control>;
  /** Builds an additional control for each number from 0, for files with more checks than the catalog contains. */
  further(number: number): Control;
}

/** Maps a list with at least one element to a list with at least one element. */
export function mapEach<T, U>([first, ...others]: NonEmpty<T>, build: (value: T) => U): NonEmpty<U> {
  return [build(first), ...others.map(build)];
}

/** Takes one control from each list in turn, so that neighboring checks differ. */
export function interleave(...lists: NonEmpty<NonEmpty<Control>>): NonEmpty<Control> {
  const length = Math.max(...lists.map((list) => list.length));
  const [first, ...others] = Array.from({ length }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
  return [first ?? lists[0][0], ...others];
}
