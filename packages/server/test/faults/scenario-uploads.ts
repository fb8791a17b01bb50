import { randomBytes } from 'node:crypto';
import {
  INVALID,
  identityOf,
  type PlannedRecord,
  type PlannedUpload,
  recordOf,
} from '../kill/planned-upload.ts';

const TIME = 1_780_000_000;
const DAY = 86_400;

/** The account whose provider is deleted after the first two uploads. */
export const DELETED_ACCOUNT = 'account-1';

/** The status of a finding in a record, and whether the finding is muted. */
type Observation = readonly [finding: number, status: 'PASS' | 'FAIL' | 'MANUAL', muted?: 'muted'];

interface UploadOptions {
  readonly coverage: PlannedUpload['coverage'];
  readonly isKeyed: boolean;
  readonly invalid: readonly PlannedRecord[];
  readonly padding: number;
}

function upload(
  name: string,
  day: number,
  observations: readonly Observation[],
  { coverage, isKeyed, invalid, padding }: UploadOptions,
): PlannedUpload {
  const scanUid = `scan-${name}`;
  const records = observations.map(([finding, status, muted], at) => {
    const expected = {
      ...identityOf(finding),
      resourceUid: `arn:aws:s3:::bucket-${finding}`,
      resourceName: `bucket-${finding}-in-${name}`,
      region: `region-of-${name}`,
      account: `account-${finding % 2}`,
      time: TIME + day * DAY,
      status,
      severity: 'high' as const,
      muted: muted !== undefined,
      marker: `${name}#${at}`,
    };
    return withPadding(recordOf(expected, scanUid), padding);
  });
  return {
    fileName: `${name}.ocsf.json`,
    scanUid,
    idempotencyKey: isKeyed ? name : undefined,
    isSlow: false,
    coverage,
    records: [...records, ...invalid],
  };
}

function withPadding({ text, expected }: PlannedRecord, length: number): PlannedRecord {
  const padding = randomBytes(length).toString('base64').slice(0, length);
  return { text: length === 0 ? text : text.replace('{', `{"padding":"${padding}",`), expected };
}

/** The uploads of the scenario. */
export interface ScenarioUploads {
  /** Contains two accounts, a repeated finding, and invalid records. Its findings are later replaced or deleted. */
  readonly first: PlannedUpload;
  /**
   * The next scan, in which some findings change, some pass and one finding is new. It is complete for its accounts.
   * Sent once, regardless of the response.
   */
  readonly second: PlannedUpload;
  /**
   * An upload with a single frame, which the service gives up on. The frame is ingested when the job is retried.
   * Contains the deleted account again, and resolves findings that it does not contain.
   */
  readonly givenUp: PlannedUpload;
}

/** `padding` is the number of incompressible characters in each record of the second upload. */
export function planUploads(padding = 0): ScenarioUploads {
  return {
    first: upload(
      'first',
      0,
      [
        [0, 'FAIL'],
        [1, 'FAIL'],
        [2, 'PASS'],
        [3, 'FAIL', 'muted'],
        [4, 'MANUAL'],
        [0, 'PASS'],
      ],
      {
        coverage: 'partial',
        isKeyed: true,
        invalid: [INVALID[0], INVALID[2], INVALID[4]],
        padding: 0,
      },
    ),
    second: upload(
      'second',
      1,
      [
        [0, 'PASS'],
        [1, 'PASS'],
        [2, 'FAIL'],
        [4, 'FAIL'],
        [6, 'FAIL'],
      ],
      { coverage: 'account', isKeyed: false, invalid: [], padding },
    ),
    givenUp: upload(
      'given-up',
      2,
      [
        [4, 'PASS'],
        [3, 'FAIL'],
        [2, 'PASS'],
      ],
      { coverage: 'account', isKeyed: true, invalid: [], padding: 0 },
    ),
  };
}
