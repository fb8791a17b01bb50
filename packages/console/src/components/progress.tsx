import { Progress as BaseProgress } from '@base-ui/react/progress';
import styles from './progress.module.css';

interface ProgressProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
}

/** How far something is. */
export function Progress({ label, value, max }: ProgressProps) {
  return (
    <BaseProgress.Root
      aria-label={label}
      value={max === 0 ? 0 : Math.floor((value / max) * 100)}
      className={styles.progress}
    >
      <BaseProgress.Track className={styles.track}>
        <BaseProgress.Indicator className={styles.bar} />
      </BaseProgress.Track>
    </BaseProgress.Root>
  );
}
