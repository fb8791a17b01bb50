import { CopyButton } from '../../../components/copy-button.tsx';
import { DescriptionItem, DescriptionList } from '../../../components/description-list.tsx';
import { Notice } from '../../../components/notice.tsx';
import type { IngestionProblem } from '../../../lib/api/types.ts';
import { formatCount } from '../../../lib/format-number.ts';
import type { ProblemType } from '../api/list-problems.ts';
import styles from './problem-details.module.css';
import { SubmittedRecord } from './submitted-record.tsx';

interface ProblemDetailsProps {
  readonly ingestionId: string;
  readonly type: ProblemType;
  readonly problem: IngestionProblem;
}

/** An error or a warning, and the record or the first of the records that it is about. */
export function ProblemDetails({ ingestionId, type, problem: { attributes } }: ProblemDetailsProps) {
  const { record_index, code, detail, pointer, finding_uid, byte_offset } = attributes;
  const records = attributes.record_count ?? 1;
  return (
    <div className={styles.details}>
      <p className={styles.reason}>{detail}</p>
      <DescriptionList>
        <DescriptionItem label="Code">
          <code>{code}</code>
        </DescriptionItem>
        {pointer !== null && pointer !== '' && (
          <DescriptionItem label="Pointer">
            <span className={styles.copyable}>
              <code>{pointer}</code> <CopyButton compact text={pointer} label="Copy pointer" />
            </span>
          </DescriptionItem>
        )}
        {records > 1 && (
          <DescriptionItem label="Records">{formatCount(records)}. The first one is shown.</DescriptionItem>
        )}
        {/* A warning about the file has no position. */}
        {(record_index !== null || type === 'errors') && (
          <DescriptionItem label="Byte offset">{formatCount(byte_offset)}</DescriptionItem>
        )}
        {finding_uid !== null && (
          <DescriptionItem label="Finding">
            <span className={styles.copyable}>
              {finding_uid} <CopyButton compact text={finding_uid} label="Copy finding UID" />
            </span>
          </DescriptionItem>
        )}
      </DescriptionList>
      {record_index === null && type === 'errors' && (
        <Notice title="This error does not concern a single record">
          To inspect the error, download the file and go to byte {formatCount(byte_offset)}.
        </Notice>
      )}
      {record_index !== null && (
        <SubmittedRecord
          key={record_index}
          ingestionId={ingestionId}
          index={record_index}
          pointer={pointer}
          type={type}
        />
      )}
    </div>
  );
}
