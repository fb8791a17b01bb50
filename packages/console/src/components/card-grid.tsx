import type { ReactNode } from 'react';
import styles from './card-grid.module.css';

/** Cards beside each other where there is room. */
export function CardGrid({ children }: { readonly children: ReactNode }) {
  return <div className={styles.grid}>{children}</div>;
}
