// Loads the compiled JavaScript of an installed package, or the TypeScript sources of a checkout (requires Node 24).
import { existsSync } from 'node:fs';

const isCheckout = existsSync(new URL('src/index.ts', import.meta.url));

export const {
  accountSpellings,
  ConformanceChecker,
  createFindingScanner,
  ExtractBuilder,
  ExtractReader,
  FINDING_FIELDS,
  FieldScanner,
  findingUidOf,
  isExtractOf,
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
