import { readFileSync } from 'node:fs';
import type { Attribute, AttributeTypes, Versions } from '../src/conformance/attribute.ts';

/** An attribute in the extracted data of one version. */
interface SchemaAttribute {
  readonly type: string;
  readonly requirement: 'required' | 'recommended' | 'optional';
  readonly object?: true;
  readonly array?: true;
  readonly profile?: string;
}

type SchemaObject = Readonly<Record<string, SchemaAttribute>>;

/** Class 2004 of one version, and the objects that it reaches. */
export interface Schema {
  readonly attributes: SchemaObject;
  readonly objects: Readonly<Record<string, SchemaObject>>;
}

/** The name of the record's type. No object has this name. */
const ROOT = 'detection_finding';
const FIRST_VERSION = 1;
const LAST_VERSION = 8;

/** Reads the extracted data of OCSF 1.1 to 1.8, by minor version. */
export function readSchemas(folder: URL): ReadonlyMap<number, Schema> {
  const schemas = new Map<number, Schema>();
  for (let version = FIRST_VERSION; version <= LAST_VERSION; version++) {
    const file = new URL(`detection_finding-1.${version}.0.json`, folder);
    schemas.set(version, JSON.parse(readFileSync(file, 'utf8')));
  }
  return schemas;
}

/** Returns the attributes that are required or contain required attributes. */
export function requiredAttributes(schemas: ReadonlyMap<number, Schema>): AttributeTypes {
  const occurrences = collectOccurrences(schemas);
  const relevant = findRelevantTypes(occurrences);
  return Object.fromEntries(
    [...relevant].map((type) => {
      const attributes = [...(occurrences.get(type) ?? [])].flatMap(([name, byVersion]) => {
        const attribute = combine(`${type}.${name}`, byVersion, relevant);
        return attribute === undefined ? [] : [[name, attribute] as const];
      });
      return [type, Object.fromEntries(attributes.sort(byName))] as const;
    }),
  );
}

/** An attribute by minor version. */
type Occurrences = ReadonlyMap<number, SchemaAttribute>;

function collectOccurrences(
  schemas: ReadonlyMap<number, Schema>,
): ReadonlyMap<string, ReadonlyMap<string, Occurrences>> {
  const types = new Map<string, Map<string, Map<number, SchemaAttribute>>>();
  for (const [version, { attributes, objects }] of schemas) {
    for (const [type, members] of Object.entries({ [ROOT]: attributes, ...objects })) {
      const known = types.get(type) ?? new Map<string, Map<number, SchemaAttribute>>();
      types.set(type, known);
      for (const [name, attribute] of Object.entries(members))
        known.set(name, (known.get(name) ?? new Map()).set(version, attribute));
    }
  }
  return types;
}

/** Returns the types with a required attribute at any depth: the record's type first, then the others by name. */
function findRelevantTypes(
  types: ReadonlyMap<string, ReadonlyMap<string, Occurrences>>,
): ReadonlySet<string> {
  const relevant = new Set<string>();
  for (let size = -1; size !== relevant.size; ) {
    size = relevant.size;
    for (const [type, attributes] of types) {
      const all = [...attributes.values()].flatMap((byVersion) => [...byVersion.values()]);
      if (
        all.some(
          ({ requirement, object, type }) => requirement === 'required' || (object && relevant.has(type)),
        )
      )
        relevant.add(type);
    }
  }
  relevant.delete(ROOT);
  return new Set([ROOT, ...[...relevant].sort()]);
}

/** @throws Error if the attribute changes between versions in a way that `Attribute` cannot express */
function combine(name: string, byVersion: Occurrences, relevant: ReadonlySet<string>): Attribute | undefined {
  const all = [...byVersion.values()];
  const [object, ...otherTypes] = new Set(
    all.map(({ type, object }) => (object && relevant.has(type) ? type : undefined)),
  );
  const [isArray, ...otherForms] = new Set(all.map(({ array }) => array));
  const [profile, ...otherProfiles] = new Set(all.flatMap(({ profile }) => profile ?? []));
  const required = versionsOf(name, byVersion, ({ requirement }) => requirement === 'required');
  if (required === undefined && object === undefined) return undefined;
  if (otherTypes.length + otherForms.length + otherProfiles.length > 0)
    throw new Error(`the type or the profile of ${name} differs between versions`);
  const profileVersions = versionsOf(name, byVersion, (attribute) => attribute.profile !== undefined);
  return {
    in: versionsOf(name, byVersion, () => true) ?? [0, 0],
    ...(required !== undefined && { required }),
    ...(object !== undefined && { object, ...(isArray && { isArray }) }),
    ...(profile !== undefined &&
      profileVersions !== undefined && { profile: { name: profile, in: profileVersions } }),
  };
}

/** Returns the versions in which the attribute has a property. */
function versionsOf(
  name: string,
  byVersion: Occurrences,
  has: (attribute: SchemaAttribute) => boolean,
): Versions | undefined {
  const versions = [...byVersion].filter(([, attribute]) => has(attribute)).map(([version]) => version);
  const first = versions.at(0);
  const last = versions.at(-1);
  if (first === undefined || last === undefined) return undefined;
  if (last - first + 1 !== versions.length) throw new Error(`the versions of ${name} are not consecutive`);
  return [first, last];
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

const HEADER = `// Generated by scripts/generate-required-attributes.ts from the OCSF schema, versions 1.1.0 to 1.8.0
// (https://github.com/ocsf/ocsf-schema), reduced to the attributes of class 2004 that are required or contain required attributes.
// Open Cybersecurity Schema Framework, Copyright © OCSF a Series of LF Projects, LLC. Includes the ICD Schema developed by Symantec, a
// division of Broadcom. Licensed under the Apache License, Version 2.0.
import type { AttributeTypes } from './attribute.ts';

/** The attributes of Detection Findings (class 2004) that are required or contain required attributes. */
export const REQUIRED_ATTRIBUTES: AttributeTypes = `;

/** Returns the source code of the module. Each attribute takes one line. */
export function formatModule(types: AttributeTypes): string {
  const objects = Object.entries(types).map(([type, attributes]) => {
    const lines = Object.entries(attributes).map(
      ([name, attribute]) => `    ${name}: ${literal(attribute)},\n`,
    );
    return `  ${type}: {\n${lines.join('')}  },\n`;
  });
  return `${HEADER}{\n${objects.join('')}};\n`;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, member]) => `${key}: ${literal(member)}`)
    .join(', ')} }`;
}
