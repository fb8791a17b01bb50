import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../../components/copy-button.tsx';
import { linkedRow, numeric, rowControl, rowLink, SortHeader, Table } from '../../../components/table.tsx';
import type { IngestionError } from '../../../lib/api/types.ts';
import { formatCount } from '../../../lib/format-number.ts';
import styles from './errors-table.module.css';

interface ErrorsTableProps {
  readonly errors: readonly IngestionError[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

export function ErrorsTable({ errors, sort, onSort }: ErrorsTableProps) {
  return (
    <Table label="Error list">
      <thead>
        <tr>
          <SortHeader name="record_index" sort={sort} onSort={onSort}>
            Record
          </SortHeader>
          <SortHeader name="code" sort={sort} onSort={onSort}>
            Code
          </SortHeader>
          <th scope="col">Reason</th>
          <th scope="col">Pointer</th>
          <th scope="col">Finding</th>
          <SortHeader name="byte_offset" sort={sort} onSort={onSort} numeric>
            Byte offset
          </SortHeader>
        </tr>
      </thead>
      <tbody>
        {errors.map((error) => (
          <ErrorRow key={error.id} error={error} />
        ))}
      </tbody>
    </Table>
  );
}

function ErrorRow({ error: { id, attributes } }: { readonly error: IngestionError }) {
  const { record_index, code, detail, pointer, finding_uid, byte_offset } = attributes;
  return (
    <tr className={linkedRow}>
      <td className={styles.record}>
        <Link
          to="."
          search={(before) => ({ ...before, error: id })}
          resetScroll={false}
          className={`${rowLink} ${styles.link}`}
        >
          {record_index === null ? 'File' : formatCount(record_index)}
        </Link>
      </td>
      <td>
        <code>{code}</code>
      </td>
      <td className={styles.reason}>{detail}</td>
      <td>
        {pointer !== null && pointer !== '' && (
          <span className={styles.pointer}>
            <code className={styles.text} title={pointer}>
              {pointer}
            </code>
            <span className={rowControl}>
              <CopyButton compact text={pointer} label="Copy pointer" />
            </span>
          </span>
        )}
      </td>
      <td>
        {finding_uid !== null && (
          <span className={`${styles.text} ${styles.finding}`} title={finding_uid}>
            {finding_uid}
          </span>
        )}
      </td>
      <td className={numeric}>{formatCount(byte_offset)}</td>
    </tr>
  );
}
