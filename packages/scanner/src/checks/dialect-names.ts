import { DIALECTS, type Dialect } from '../directory/dialect.ts';

/** The one word by which names of checks and resources differ: `authenticator_directory_verify_fips_compliant`. */
const VENDORS = Object.values(DIALECTS);

/** The id of a check in the words of a dialect, from its id in any; words without a vendor's name stay. */
export function checkIdForDialect({ name }: Dialect, id: string): string {
  return VENDORS.reduce((renamed, vendor) => renamed.replaceAll(`_${vendor.name}_`, `_${name}_`), id);
}

/** The id of a check in every dialect. */
export function checkIds(id: string): readonly string[] {
  return [...new Set(VENDORS.map((vendor) => checkIdForDialect(vendor, id)))];
}

/**
 * An id or a name of a resource in every dialect. Those of placeholders begin with the vendor's name
 * (`okta-log-streams-missing`, `Okta Network Zones`).
 */
export function resourceNames(name: string): readonly string[] {
  for (const vendor of VENDORS)
    for (const prefix of [`${vendor.name}-`, `${vendor.name}_`, `${vendor.title} `])
      if (name.startsWith(prefix))
        return VENDORS.map((other) => prefixOf(other, prefix) + name.slice(prefix.length));
  return [name];
}

function prefixOf({ name, title }: Dialect, prefix: string): string {
  const separator = prefix.slice(-1);
  return `${separator === ' ' ? title : name}${separator}`;
}

/** A text about `the directory` in the words of a dialect: at Okta `the directory's log` is `Okta's log`. */
export function textForDialect({ name, title }: Dialect, text: string): string {
  if (name === 'directory') return text;
  return text
    .replaceAll(/\ba session of the directory\b/g, `an ${title} session`)
    .replaceAll(/\bthe directory\b/gi, title)
    .replaceAll(/\ba directory organization\b/g, `an ${title} organization`)
    .replaceAll(/\blike a directory\b/g, `like ${title}`)
    .replaceAll(/\bscan a directory\b/g, `scan an ${title} organization`)
    .replaceAll(/\b([Tt])he admin console\b/g, `$1he ${title} Admin Console`)
    .replaceAll(/\b([Tt])he (?:end-user )?dashboard\b/g, `$1he ${title} Dashboard`);
}
