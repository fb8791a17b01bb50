import styles from './progress.module.css';

interface ProgressProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
}

export function Progress({ label, value, max }: ProgressProps) {
  // The `progress` element requires a maximum greater than 0.
  return <progress aria-label={label} value={value} max={Math.max(max, 1)} className={styles.progress} />;
}
