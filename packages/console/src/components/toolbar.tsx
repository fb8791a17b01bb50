import type { ReactNode } from 'react';
import styles from './toolbar.module.css';

/** The search field and filters above a list. */
export function Toolbar({ children }: { readonly children: ReactNode }) {
  return <div className={styles.toolbar}>{children}</div>;
}
