import type { ReactNode } from 'react';
import { formatCount } from '../lib/format-number.ts';
import styles from './bar-list.module.css';

export interface BarListItem {
  readonly id: string;
  /** Usually a link to the details. */
  readonly label: ReactNode;
  readonly value: number;
}

/** Horizontal bars on a common scale, each with its value as text. */
export function BarList({
  label,
  items,
}: {
  readonly label: string;
  readonly items: readonly BarListItem[];
}) {
  const largest = Math.max(...items.map(({ value }) => value), 1);
  return (
    <ol className={styles.list} aria-label={label}>
      {items.map(({ id, label, value }) => (
        <li key={id} className={styles.item}>
          <span className={styles.bar} style={{ width: `${(value / largest) * 100}%` }} aria-hidden="true" />
          <span className={styles.label}>{label}</span>
          <span className={styles.value}>{formatCount(value)}</span>
        </li>
      ))}
    </ol>
  );
}
