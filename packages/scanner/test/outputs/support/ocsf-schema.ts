import { z } from 'zod';

/**
 * The part of the OCSF 1.5.0 schema that the scanner uses: class 2004 with the `cloud` and `datetime` profiles. Unknown
 * attributes are errors. Required or recommended attributes that the scanner always writes are mandatory.
 */
const text = z.string();
const seconds = z.int().min(1e9).max(1e10);
const dateTime = z.iso.datetime({ offset: true });

const relatedAnalytic = z.strictObject({
  category: text,
  desc: text,
  name: text,
  type: z.literal('Rule'),
  type_id: z.literal(1),
  uid: z.string().regex(/^V-\d{6}$/),
});

const analytic = z.strictObject({
  category: text,
  name: text,
  related_analytics: z.tuple([relatedAnalytic]),
  type: z.literal('Rule'),
  type_id: z.literal(1),
  uid: text,
});

const account = z.strictObject({
  name: text,
  uid: text,
  type: z.literal('Other'),
  type_id: z.literal(99),
  labels: z.array(text),
});

const resource = z.strictObject({
  cloud_partition: text,
  region: text,
  data: z.strictObject({ details: text, metadata: z.record(text, z.unknown()) }),
  group: z.strictObject({ name: text }),
  labels: z.array(text),
  name: text,
  type: text,
  uid: text,
});

const severities = [
  ['Informational', 1],
  ['Low', 2],
  ['Medium', 3],
  ['High', 4],
  ['Critical', 5],
] as const;

const named = (name: string, names: readonly (readonly [string, number])[]) =>
  z
    .looseObject({})
    .refine(
      (record) => names.some(([title, id]) => record[name] === title && record[`${name}_id`] === id),
      `${name} and ${name}_id do not match`,
    );

export const detectionFinding = z
  .strictObject({
    message: text.min(1),
    metadata: z.strictObject({
      event_code: text.min(1),
      product: z.strictObject({ name: text, uid: text, vendor_name: text, version: text }),
      profiles: z.tuple([z.literal('cloud'), z.literal('datetime')]),
      tenant_uid: text,
      version: z.literal('1.5.0'),
    }),
    severity_id: z.int(),
    severity: text,
    status: text,
    status_code: z.enum(['PASS', 'FAIL', 'MANUAL']),
    status_detail: text.min(1),
    status_id: z.int(),
    unmapped: z.record(text, z.unknown()),
    activity_name: z.literal('Create'),
    activity_id: z.literal(1),
    finding_info: z.strictObject({
      analytic,
      created_time: seconds,
      created_time_dt: dateTime,
      desc: text.min(1),
      title: text.min(1),
      types: z.array(text),
      uid: text.min(1),
    }),
    resources: z.tuple([resource]),
    category_name: z.literal('Findings'),
    category_uid: z.literal(2),
    class_name: z.literal('Detection Finding'),
    class_uid: z.literal(2004),
    cloud: z.strictObject({
      account,
      org: z.strictObject({ name: text, uid: text }),
      provider: text.min(1),
      region: text,
    }),
    remediation: z.strictObject({ desc: text.min(1), references: z.array(z.url()) }),
    risk_details: text,
    time: seconds,
    time_dt: dateTime,
    type_uid: z.literal(200401),
    type_name: z.literal('Detection Finding: Create'),
  })
  .and(named('severity', severities))
  .and(
    named('status', [
      ['New', 1],
      ['Suppressed', 3],
    ]),
  );

/**
 * The producer defines `unmapped`. It contains the fields from docs/specification.md and the fields that consumers expect.
 */
export const unmapped = z.strictObject({
  related_url: text,
  categories: z.array(text),
  depends_on: z.array(text),
  related_to: z.array(text),
  additional_urls: z.array(text),
  notes: text,
  compliance: z.record(text, z.array(text).min(1)),
  scan_id: z.uuidv7(),
  provider_uid: text,
  provider: z.enum(['directory', 'okta']),
});
