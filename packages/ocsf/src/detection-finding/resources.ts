import type { JsonObject } from '../extract/field-layout.ts';
import type { FindingResource } from './detection-finding.ts';
import { labelOf, optionalLabel, optionalObject, optionalText, optionalTexts } from './fields.ts';
import { type Warn, warnOfType } from './problems.ts';

/** Limits what a single record can cost. Extracts also contain only this many resources. */
const MAX_RESOURCES = 100;
/** For all resources of a record. */
const MAX_LABELS = 100;

/** `cloud.region`, which applies to resources without a region. It is read at most once, so that it causes one warning. */
export class RecordRegion {
  readonly #cloud: JsonObject;
  readonly #warn: Warn;
  #region: string | null | undefined;

  constructor(cloud: JsonObject, warn: Warn) {
    this.#cloud = cloud;
    this.#warn = warn;
  }

  read(): string | null {
    if (this.#region === undefined)
      this.#region = optionalLabel(this.#cloud.region, '/cloud/region', this.#warn);
    return this.#region;
  }
}

/** Reads the resources of a record. */
export function readResources(value: unknown, region: RecordRegion, warn: Warn): readonly FindingResource[] {
  if (!Array.isArray(value)) {
    warnOfType(warn, '/resources', value, 'an array');
    return [];
  }
  if (value.length > MAX_RESOURCES) {
    const detail = `The record has ${value.length} resources. Only the first ${MAX_RESOURCES} are read.`;
    warn({ code: 'too_many_resources', pointer: '/resources', detail });
  }
  let labels = 0;
  return value.slice(0, MAX_RESOURCES).map((element: unknown, at) => {
    const pointer = `/resources/${at}`;
    const resource = optionalObject(element, pointer, warn);
    const group = optionalObject(resource.group, `${pointer}/group`, warn);
    const name = optionalText(resource.name, `${pointer}/name`, warn);
    const found = readLabels(resource.labels, MAX_LABELS - labels, `${pointer}/labels`, warn);
    labels += found.length;
    return {
      uid: optionalText(resource.uid, `${pointer}/uid`, warn) ?? name,
      name: labelOf(name, `${pointer}/name`, warn),
      type: optionalLabel(resource.type, `${pointer}/type`, warn),
      region:
        optionalLabel(resource.region, `${pointer}/region`, warn) ??
        region.read() ??
        optionalLabel(resource.namespace, `${pointer}/namespace`, warn),
      service: optionalLabel(group.name, `${pointer}/group/name`, warn),
      labels: found,
    };
  });
}

/** Reads at most `max` labels. */
function readLabels(value: unknown, max: number, pointer: string, warn: Warn): readonly string[] {
  if (!Array.isArray(value) || value.length <= max) return optionalTexts(value, pointer, warn, optionalLabel);
  const detail = `The resource has ${value.length} labels, but only ${MAX_LABELS} labels of a record are read. Further labels are ignored.`;
  warn({ code: 'too_many_labels', pointer, detail });
  return optionalTexts(value.slice(0, max), pointer, warn, optionalLabel);
}
