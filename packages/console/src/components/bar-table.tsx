import type { ReactNode } from 'react';
import { formatCount, formatShare } from '../lib/format-number.ts';
import styles from './bar-table.module.css';
import { type BarPart, StackedBar } from './stacked-bar.tsx';

interface BarTableRow extends BarPart {
  readonly label: ReactNode;
}

interface BarTableProps {
  /** The accessible name. */
  readonly label: string;
  readonly rows: readonly BarTableRow[];
}

/** A stacked bar above a table with the count and percentage of each part. */
export function BarTable({ label, rows }: BarTableProps) {
  const sum = rows.reduce((total, { count }) => total + count, 0);
  return (
    <div className={styles.container}>
      <StackedBar parts={rows} size="large" />
      <table className={styles.table} aria-label={label}>
        <tbody>
          {rows.map(({ name, label, count, color }) => (
            <tr key={name} className={count === 0 ? styles.none : undefined}>
              <th scope="row">
                <span className={styles.name}>
                  <span className={styles.dot} style={{ background: color }} aria-hidden="true" />
                  {label}
                </span>
              </th>
              <td>{formatCount(count)}</td>
              <td className={styles.share}>{sum === 0 ? '' : formatShare(count / sum)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
