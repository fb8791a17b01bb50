import { defineMutants, type Mutant } from './define-mutants.ts';

const ocsf = defineMutants('packages/ocsf');

export const OCSF_MUTANTS: readonly Mutant[] = [
  ocsf(
    'the provider type is not converted to lowercase',
    'detection-finding/account.ts',
    'return plainText(text.toLowerCase())',
    'return plainText(text)',
    'read-detection-finding',
  ),
  ocsf(
    'a suppressed finding is not muted',
    'detection-finding/read-detection-finding.ts',
    "isSuppressed(record.status_id, warn) || status === 'MUTED'",
    "status === 'MUTED'",
    'read-detection-finding',
  ),
  ocsf(
    "the provider of the upload overrides the record's provider",
    'detection-finding/read-detection-finding.ts',
    'firstText(record, provider) ?? defaults.provider ??',
    'defaults.provider ?? firstText(record, provider) ??',
    'read-detection-finding',
  ),
  ocsf(
    'cloud.region is not read',
    'detection-finding/resources.ts',
    '        recordRegion ??\n',
    '',
    'read-detection-finding-properties',
  ),
  ocsf(
    'an account uid that is not a string is ignored instead of rejected',
    'detection-finding/fields.ts',
    "if (typeof value !== 'string') return invalidType(pointer, value, 'a string');",
    "if (typeof value !== 'string') continue;",
    'read-detection-finding-properties',
  ),
  ocsf(
    'a text of exactly the maximum length is rejected',
    'detection-finding/fields.ts',
    'text.length > maxLength',
    'text.length >= maxLength',
    'read-detection-finding',
  ),
  ocsf(
    'a time in milliseconds is read as seconds',
    'detection-finding/record-time.ts',
    '1e11;',
    '1e13;',
    'read-detection-finding',
  ),
  ocsf(
    'February 30 is accepted as a date',
    'detection-finding/record-time.ts',
    'return day.getUTCDate() === Number(date.slice(8));',
    'return !Number.isNaN(day.getTime());',
    'read-detection-finding',
  ),
  ocsf(
    'an unknown severity becomes Other',
    'detection-finding/severity.ts',
    'return known ?? 0;',
    'return known ?? 99;',
    'read-detection-finding',
  ),
  ocsf(
    'attributes of a profile are required in all records',
    'conformance/applicable-attributes.ts',
    'return profile === undefined || conditions.profiles.has(profile);',
    'return true;',
    'conformance-checker',
  ),
  ocsf(
    'attributes of different profiles are reported for a record like the previous one',
    'conformance/conformance-checker.ts',
    'profiles === this.#lastDeclaration?.profiles',
    'true',
    'conformance-checker',
  ),
  ocsf(
    'an attribute that is null is not missing',
    'conformance/missing-attributes.ts',
    'value === undefined || value === null',
    'value === undefined',
    'conformance-checker',
  ),
  ocsf(
    'an empty array is accepted',
    'splitter/record-splitter.ts',
    'if (this.#records === 0) this.#stop(EMPTY_ARRAY);',
    '',
    'record-splitter',
  ),
  ocsf(
    'account uids are case-sensitive',
    'detection-finding/account.ts',
    'account.toLowerCase() : account',
    'account : account',
    'read-detection-finding',
  ),
];
