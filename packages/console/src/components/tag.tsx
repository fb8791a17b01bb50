import type { ReactNode } from 'react';
import styles from './badges.module.css';

/** A word that says something of what it stands beside. */
export function Tag({ children }: { readonly children: ReactNode }) {
  return <span className={styles.tag}>{children}</span>;
}
