import type { FieldTree } from '../field-reader/field-reader.ts';

/** Every field that `readDetectionFinding` and `findingUidOf` read. A test verifies that the list is complete. */
export const FINDING_FIELDS = {
  class_uid: true,
  status_code: true,
  status_id: true,
  severity_id: true,
  severity: true,
  status_detail: true,
  message: true,
  time: true,
  time_dt: true,
  finding_info: { uid: true, created_time: true },
  metadata: { event_code: true },
  cloud: { provider: true, region: true, account: { uid: true, name: true } },
  unmapped: { provider: true, provider_uid: true, scan_id: true },
  resources: [{ uid: true, name: true, type: true, region: true, namespace: true, group: { name: true } }],
} as const satisfies FieldTree;
