import styles from './findings-grid.module.css';

/** Takes the room of the table until its first rows are there. */
export function FindingsSkeleton() {
  return (
    <div role="status" aria-label="Loading the findings" className={`${styles.grid} ${styles.waitingRows}`} />
  );
}
