/**
 * Returns a valid record, without missing attributes, in which the given members replace the defaults. Objects are
 * merged one level deep.
 */
export function record(members: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const base: Record<string, unknown> = {
    activity_id: 1,
    category_uid: 2,
    class_uid: 2004,
    type_uid: 200401,
    time: 1_780_000_000,
    severity_id: 4,
    severity: 'High',
    status: 'New',
    status_id: 1,
    status_code: 'FAIL',
    status_detail: 'The bucket is public.',
    metadata: { event_code: 'bucket_not_public', version: '1.5.0', product: {} },
    finding_info: { uid: 'finding-1', title: 'Buckets are not public' },
    cloud: { provider: 'aws', region: 'eu-central-1', account: { uid: '111122223333', name: 'Production' } },
    resources: [
      { uid: 'arn:aws:s3:::one', name: 'one', type: 'Bucket', region: 'eu-central-1', group: { name: 's3' } },
    ],
    remediation: { desc: 'Block public access.', references: ['https://example.com/buckets'] },
    risk_details: 'Anybody can read it.',
    unmapped: { categories: ['internet-exposed'], scan_id: '0198a000-0000-7000-8000-000000000001' },
  };
  for (const [name, value] of Object.entries(members)) {
    const defaults = base[name];
    base[name] = isPlain(defaults) && isPlain(value) ? { ...defaults, ...value } : value;
  }
  return base;
}

/** Returns the record without the member at this path. */
export function without(path: string, from: Record<string, unknown> = record()): Record<string, unknown> {
  const copy = structuredClone(from);
  const keys = path.split('.');
  let parent: Record<string, unknown> = copy;
  for (const key of keys.slice(0, -1)) {
    const next = parent[key];
    if (!isPlain(next)) throw new TypeError(`${path} does not exist`);
    parent = next;
  }
  delete parent[keys.at(-1) ?? ''];
  return copy;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
