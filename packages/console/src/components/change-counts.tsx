import { Link } from '@tanstack/react-router';
import { CHANGES, type ChangeTotals, changedFindingsSearch } from '../lib/finding-changes.ts';
import { formatCount } from '../lib/format-number.ts';
import styles from './change-counts.module.css';
import { rowControl } from './table.tsx';

interface ChangeCountsProps {
  /** The ID of the scan. */
  readonly id: string;
  /** Changes without a count are not shown. */
  readonly counts: Partial<ChangeTotals>;
}

/** How a scan changed findings: the counts that are not 0, each with a link to its findings. */
export function ChangeCounts({ id, counts }: ChangeCountsProps) {
  const shown = CHANGES.flatMap((change) => {
    const count = counts[change] ?? 0;
    return count > 0 ? { change, count } : [];
  });
  if (shown.length === 0)
    return <span className={styles.none}>{counts.new === null ? 'Not counted' : 'No changes'}</span>;
  return (
    <ul className={styles.counts}>
      {shown.map(({ change, count }) => (
        <li key={change}>
          <Link
            to="/findings"
            search={changedFindingsSearch(change, id)}
            className={`${rowControl} ${styles.link}`}
          >
            {formatCount(count)} {change}
          </Link>
        </li>
      ))}
    </ul>
  );
}
