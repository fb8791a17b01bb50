const LABELS: ReadonlyMap<string, string> = new Map([
  ['aws', 'AWS'],
  ['azure', 'Azure'],
  ['gcp', 'Google Cloud'],
  ['kubernetes', 'Kubernetes'],
  ['m365', 'Microsoft 365'],
  ['github', 'GitHub'],
  ['okta', 'Okta'],
  ['cloudflare', 'Cloudflare'],
  ['mongodbatlas', 'MongoDB Atlas'],
  ['oraclecloud', 'Oracle Cloud'],
  ['alibabacloud', 'Alibaba Cloud'],
  ['directory', 'Directory'],
]);

/** The provider types that have a display name. */
export const KNOWN_PROVIDER_TYPES: readonly string[] = [...LABELS.keys()];

/** The display name of a provider type. Unknown types are returned unchanged. */
export function providerTypeLabel(type: string): string {
  return LABELS.get(type) ?? type;
}
