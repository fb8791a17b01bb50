import styles from './progress.module.css';

interface ProgressProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
}

/** How far something is. */
export function Progress({ label, value, max }: ProgressProps) {
  // Of nothing nothing is done; the element itself wants a greatest value over 0.
  return <progress aria-label={label} value={value} max={Math.max(max, 1)} className={styles.progress} />;
}
