import { Link } from '@tanstack/react-router';
import { AccountName } from '../../../components/account-name.tsx';
import { ChangeCounts } from '../../../components/change-counts.tsx';
import { linkedRow, numeric, rowControl, rowLink, SortHeader, Table } from '../../../components/table.tsx';
import { Time } from '../../../components/time.tsx';
import { formatCount } from '../../../lib/format-number.ts';
import type { ListedScan } from '../api/listed-scan.ts';
import styles from './scan-table.module.css';
import { SeverityCounts } from './severity-counts.tsx';
import { StatusCounts } from './status-counts.tsx';

interface ScanTableProps {
  readonly scans: readonly ListedScan[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

export function ScanTable({ scans, sort, onSort }: ScanTableProps) {
  const withFiles = scans.some(({ ingestion }) => ingestion !== undefined);
  const sorting = { sort, onSort };
  return (
    <Table label="Scans">
      <thead>
        <tr>
          <th scope="col">Account</th>
          <SortHeader name="inserted_at" {...sorting}>
            Uploaded
          </SortHeader>
          {withFiles && <th scope="col">File</th>}
          <SortHeader name="records" numeric {...sorting}>
            Records
          </SortHeader>
          <th scope="col">By status</th>
          <SortHeader name="failed" {...sorting}>
            Failing by severity
          </SortHeader>
          <th scope="col">Changes</th>
        </tr>
      </thead>
      <tbody>
        {scans.map((each) => (
          <ScanRow key={each.scan.id} {...each} withFile={withFiles} />
        ))}
      </tbody>
    </Table>
  );
}

function ScanRow({ scan, provider, ingestion, withFile }: ListedScan & { readonly withFile: boolean }) {
  const { id, attributes } = scan;
  const link = (displayName: string) => (
    <Link to="/scans/$id" params={{ id }} className={rowLink}>
      {displayName}
    </Link>
  );
  return (
    <tr className={linkedRow}>
      <td>
        {provider === undefined ? (
          link('Deleted account')
        ) : (
          <AccountName {...provider.attributes} link={link} />
        )}
      </td>
      <td className={styles.time}>
        <Time time={attributes.inserted_at} />
      </td>
      {withFile && (
        <td className={styles.file}>
          {ingestion !== undefined && (
            <Link
              to="/ingestions/$id"
              params={{ id: ingestion.id }}
              className={rowControl}
              title={ingestion.meta.file_name ?? undefined}
            >
              {ingestion.meta.file_name ?? 'Unnamed file'}
            </Link>
          )}
        </td>
      )}
      <td className={numeric}>{formatCount(attributes.records)}</td>
      <td>
        <StatusCounts counts={attributes.by_status} />
      </td>
      <td>
        <SeverityCounts counts={attributes.failed_by_severity} />
      </td>
      <td className={styles.changes}>
        <ChangeCounts id={id} counts={attributes} />
      </td>
    </tr>
  );
}
