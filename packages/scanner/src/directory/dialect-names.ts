import { DIALECTS, type Dialect } from './dialect.ts';

/** Check IDs and resource names differ between dialects only in the vendor name. */
const VENDORS = Object.values(DIALECTS);

/** Converts a check ID of any dialect to the ID in one dialect. IDs without a vendor name are returned unchanged. */
export function checkIdForDialect({ name }: Dialect, id: string): string {
  return VENDORS.reduce((renamed, vendor) => renamed.replaceAll(`_${vendor.name}_`, `_${name}_`), id);
}

/** The IDs of a check in all dialects. */
export function checkIds(id: string): readonly string[] {
  return [...new Set(VENDORS.map((vendor) => checkIdForDialect(vendor, id)))];
}

/**
 * The ID or name of a resource in all dialects. The IDs and names of placeholders start with the vendor name
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

/** Replaces `the directory` in text with the vendor name: for Okta, `the directory's log` becomes `Okta's log`. */
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
