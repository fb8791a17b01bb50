import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../../components/copy-button.tsx';
import { linkedRow, numeric, rowControl, rowLink, SortHeader, Table } from '../../../components/table.tsx';
import type { IngestionProblem } from '../../../lib/api/types.ts';
import { capitalize } from '../../../lib/capitalize.ts';
import { formatCount } from '../../../lib/format-number.ts';
import { PROBLEM_NOUNS, type ProblemType } from '../api/list-problems.ts';
import styles from './problems-table.module.css';

interface ProblemsTableProps {
  readonly type: ProblemType;
  readonly problems: readonly IngestionProblem[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

export function ProblemsTable({ type, problems, sort, onSort }: ProblemsTableProps) {
  return (
    <Table label={`${capitalize(PROBLEM_NOUNS[type][0])} list`}>
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
          {type === 'warnings' && (
            <th scope="col" className={numeric}>
              Records
            </th>
          )}
          <SortHeader name="byte_offset" sort={sort} onSort={onSort} numeric>
            Byte offset
          </SortHeader>
        </tr>
      </thead>
      <tbody>
        {problems.map((problem) => (
          <ProblemRow key={problem.id} problem={problem} />
        ))}
      </tbody>
    </Table>
  );
}

function ProblemRow({ problem: { id, attributes } }: { readonly problem: IngestionProblem }) {
  const { record_index, code, detail, pointer, finding_uid, byte_offset, record_count } = attributes;
  return (
    <tr className={linkedRow}>
      <td className={styles.record}>
        <Link
          to="."
          search={(before) => ({ ...before, problem: id })}
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
      {record_count !== undefined && (
        <td className={numeric}>{record_count === null ? '–' : formatCount(record_count)}</td>
      )}
      <td className={numeric}>{formatCount(byte_offset)}</td>
    </tr>
  );
}
