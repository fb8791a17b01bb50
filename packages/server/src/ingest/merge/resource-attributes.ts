import type { FindingResource } from '@sluice/ocsf';
import { compareTexts } from '../../lib/compare-texts.ts';

/** The attributes of a resource in a record. */
interface ObservedAttributes {
  readonly attributes: FindingResource;
  /** Time of the record, in milliseconds since 1970. */
  readonly time: number;
}

/**
 * Ties between records with the same time are broken by the attributes, so that the result does not depend on order.
 */
export function isNewer(a: ObservedAttributes, b: ObservedAttributes): boolean {
  if (a.time !== b.time) return a.time > b.time;
  return compareAttributes(a.attributes, b.attributes) > 0;
}

const COMPARED = ['name', 'type', 'region', 'service'] as const;

/**
 * Orders the attributes of a resource in records with the same time, as PostgreSQL orders rows of texts with the
 * collation "C". The greater attributes are stored.
 */
export function compareAttributes(a: FindingResource, b: FindingResource): number {
  for (const name of COMPARED) {
    const order = compareTexts(a[name] ?? '', b[name] ?? '');
    if (order !== 0) return order;
  }
  for (const [position, label] of a.labels.entries()) {
    const other = b.labels[position];
    if (other === undefined) return 1;
    const order = compareTexts(label, other);
    if (order !== 0) return order;
  }
  return a.labels.length - b.labels.length;
}
