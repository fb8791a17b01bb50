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

/** Why a record was rejected, and the record itself. */
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
              <code>{pointer}</code> <CopyButton compact text={pointer} label="Copy the pointer" />
            </span>
          </DescriptionItem>
        )}
        <DescriptionItem label="Byte offset">{formatCount(byte_offset)}</DescriptionItem>
        {finding_uid !== null && (
          <DescriptionItem label="Finding">
            <span className={styles.copyable}>
              {finding_uid} <CopyButton compact text={finding_uid} label="Copy the uid of the finding" />
            </span>
          </DescriptionItem>
        )}
      </DescriptionList>
      {record_index === null ? (
        <Notice title="This is not about one record">
          The file itself is wrong at byte {formatCount(byte_offset)}, counted in the inflated file. Download
          it to look at that place.
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
