import { CopyButton } from '../../../components/copy-button.tsx';
import { DescriptionItem, DescriptionList } from '../../../components/description-list.tsx';
import { Notice } from '../../../components/notice.tsx';
import type { IngestionError } from '../../../lib/api/types.ts';
import { formatCount } from '../../../lib/format-number.ts';
import styles from './error-details.module.css';
import { SubmittedRecord } from './submitted-record.tsx';

interface ErrorDetailsProps {
  readonly ingestionId: string;
  readonly error: IngestionError;
}

/** The reason why a record was rejected, and the record itself. */
export function ErrorDetails({ ingestionId, error: { attributes } }: ErrorDetailsProps) {
  const { record_index, code, detail, pointer, finding_uid, byte_offset } = attributes;
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
        <DescriptionItem label="Byte offset">{formatCount(byte_offset)}</DescriptionItem>
        {finding_uid !== null && (
          <DescriptionItem label="Finding">
            <span className={styles.copyable}>
              {finding_uid} <CopyButton compact text={finding_uid} label="Copy finding UID" />
            </span>
          </DescriptionItem>
        )}
      </DescriptionList>
      {record_index === null ? (
        <Notice title="This error affects the whole file">
          The uncompressed file is malformed at byte {formatCount(byte_offset)}. Download the file to inspect
          the error.
        </Notice>
      ) : (
        <SubmittedRecord
          key={record_index}
          ingestionId={ingestionId}
          index={record_index}
          pointer={pointer}
        />
      )}
    </div>
  );
}
