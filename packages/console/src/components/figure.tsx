import type { ReactNode } from 'react';
import { formatCount } from '../lib/format-number.ts';
import styles from './figure.module.css';

/** A row of key figures. */
export function Figures({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.figures}>{children}</dl>;
}

interface FigureProps {
  readonly label: string;
  readonly count: number;
  /** A link or a note below the count. */
  readonly children?: ReactNode;
}

export function Figure({ label, count, children }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.count}>{formatCount(count)}</dd>
      {children !== undefined && <dd className={styles.more}>{children}</dd>}
    </div>
  );
}
