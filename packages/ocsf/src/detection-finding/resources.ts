import type { FindingResource } from './detection-finding.ts';
import { labelOf, optionalLabel, optionalObject, optionalText, optionalTexts } from './fields.ts';
import { type Warn, warnOfType } from './problems.ts';

/** Limits what a single record can cost. Extracts also contain only this many resources. */
const MAX_RESOURCES = 100;
/** For all resources of a record. */
const MAX_LABELS = 100;

/**
 * The JSON Pointers of the fields of each resource. Creating them for every record takes as long as reading the fields.
 */
const POINTERS = Array.from({ length: MAX_RESOURCES }, (_, at) => ({
  at,
  resource: `/resources/${at}`,
  uid: `/resources/${at}/uid`,
  name: `/resources/${at}/name`,
  type: `/resources/${at}/type`,
  region: `/resources/${at}/region`,
  namespace: `/resources/${at}/namespace`,
  labels: `/resources/${at}/labels`,
  group: `/resources/${at}/group`,
  groupName: `/resources/${at}/group/name`,
}));

/** Reads the resources of a record. `recordRegion` applies to resources without a region. */
export function readResources(
  value: unknown,
  recordRegion: string | null,
  warn: Warn,
): readonly FindingResource[] {
  if (!Array.isArray(value)) {
    warnOfType(warn, '/resources', value, 'an array');
    return [];
  }
  if (value.length > MAX_RESOURCES) {
    const detail = `The record has ${value.length} resources. Only the first ${MAX_RESOURCES} are read.`;
    warn({ code: 'too_many_resources', pointer: '/resources', detail });
  }
  const resources: FindingResource[] = [];
  let labels = 0;
  for (const pointers of POINTERS) {
    if (pointers.at === value.length) break;
    const resource = optionalObject(value[pointers.at], pointers.resource, warn);
    const group = optionalObject(resource.group, pointers.group, warn);
    const name = optionalText(resource.name, pointers.name, warn);
    const found = readLabels(resource.labels, MAX_LABELS - labels, pointers.labels, warn);
    labels += found.length;
    resources.push({
      uid: optionalText(resource.uid, pointers.uid, warn) ?? name,
      name: labelOf(name, pointers.name, warn),
      type: optionalLabel(resource.type, pointers.type, warn),
      region:
        optionalLabel(resource.region, pointers.region, warn) ??
        recordRegion ??
        optionalLabel(resource.namespace, pointers.namespace, warn),
      service: optionalLabel(group.name, pointers.groupName, warn),
      labels: found,
    });
  }
  return resources;
}

/** Reads at most `max` labels. */
function readLabels(value: unknown, max: number, pointer: string, warn: Warn): readonly string[] {
  if (!Array.isArray(value) || value.length <= max) return optionalTexts(value, pointer, warn, optionalLabel);
  const detail = `The resource has ${value.length} labels, but only ${MAX_LABELS} labels of a record are read. Further labels are ignored.`;
  warn({ code: 'too_many_labels', pointer, detail });
  return optionalTexts(value.slice(0, max), pointer, warn, optionalLabel);
}
