/** A range of versions of OCSF, from 1.`first` to 1.`last`. */
export type Versions = readonly [first: number, last: number];

/**
 * An attribute that is required, or that contains required attributes. Requirements that apply in only some versions
 * state them.
 */
export interface Attribute {
  /** The versions that have the attribute. */
  readonly in: Versions;
  /** The versions that require it. */
  readonly required?: Versions;
  /** The type of its value, if objects of this type can have required attributes. */
  readonly object?: string;
  /** Whether the value is an array of objects. */
  readonly isArray?: true;
  /** In these versions, the attribute applies only to records with this profile. */
  readonly profile?: { readonly name: string; readonly in: Versions };
}

/** The attributes of each type of object, by name. The type of the record is `detection_finding`. */
export type AttributeTypes = Readonly<Record<string, Readonly<Record<string, Attribute>>>>;
