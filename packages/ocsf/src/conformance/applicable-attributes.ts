import { isObject } from '../detection-finding/fields.ts';
import type { JsonObject } from '../extract/field-layout.ts';
import type { Attribute, Versions } from './attribute.ts';

/** What determines the attributes that a record must have. */
export interface Conditions {
  /** The minor version of OCSF 1. */
  readonly version: number;
  readonly profiles: ReadonlySet<unknown>;
}

/** The metadata of a record that its requirements depend on. */
export interface Declaration {
  readonly version: unknown;
  readonly profiles: unknown;
}

/** Returns `metadata.version` and `metadata.profiles` as they were written. */
export function declarationOf({ metadata }: JsonObject): Declaration {
  return isObject(metadata)
    ? { version: metadata.version, profiles: metadata.profiles }
    : { version: undefined, profiles: undefined };
}

/** Release versions. Pre-releases such as 1.5.0-dev do not have the requirements of the release. */
const VERSION = /^1\.([1-8])(?:\.\d+)?$/;

/** Returns `undefined` if the requirements of the record's version are not known. */
export function conditionsOf({ version, profiles }: Declaration): Conditions | undefined {
  const minor = typeof version === 'string' ? VERSION.exec(version)?.[1] : undefined;
  if (minor === undefined) return undefined;
  return { version: Number(minor), profiles: new Set(Array.isArray(profiles) ? profiles : []) };
}

/** Whether the attribute is part of records under these conditions. */
export function isApplicable(attribute: Attribute, conditions: Conditions): boolean {
  if (!includes(attribute.in, conditions.version)) return false;
  const profile = profileOf(attribute, conditions);
  return profile === undefined || conditions.profiles.has(profile);
}

/** Returns the profile that the attribute belongs to. */
export function profileOf({ profile }: Attribute, { version }: Conditions): string | undefined {
  return profile !== undefined && includes(profile.in, version) ? profile.name : undefined;
}

/** Whether records under these conditions must have the attribute, which must be applicable. */
export function isRequired({ required }: Attribute, { version }: Conditions): boolean {
  return required !== undefined && includes(required, version);
}

function includes([first, last]: Versions, version: number): boolean {
  return version >= first && version <= last;
}
