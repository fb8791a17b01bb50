// `@sluice/ocsf`: JavaScript where the package was installed, TypeScript in a checkout, which needs Node 24.
import { existsSync } from 'node:fs';

const isCheckout = existsSync(new URL('src/index.ts', import.meta.url));

export const {
  accountSpellings,
  FINDING_FIELDS,
  FieldReader,
  findingUidOf,
  isRejection,
  MAX_LENGTHS,
  normalizeProviderType,
  plainText,
  RecordSplitter,
  readCheckTexts,
  readDetectionFinding,
  SEVERITIES,
  severityId,
  severityName,
} = await import(isCheckout ? './src/index.ts' : './dist/index.js');
