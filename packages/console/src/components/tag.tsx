import type { ReactNode } from 'react';
import styles from './badges.module.css';

/** A short label next to a name. */
export function Tag({ children }: { readonly children: ReactNode }) {
  return <span className={styles.tag}>{children}</span>;
}
