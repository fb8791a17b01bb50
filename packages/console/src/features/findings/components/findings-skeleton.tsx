import styles from './findings-grid.module.css';

/** A placeholder for the table while its first rows are loading. */
export function FindingsSkeleton() {
  return <div role="status" aria-label="Loading findings…" className={`${styles.grid} ${styles.skeleton}`} />;
}
