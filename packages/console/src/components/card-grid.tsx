import type { ReactNode } from 'react';
import styles from './card-grid.module.css';

/** Lays out cards in columns on wide screens. */
export function CardGrid({ children }: { readonly children: ReactNode }) {
  return <div className={styles.grid}>{children}</div>;
}
