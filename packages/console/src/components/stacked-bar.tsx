import styles from './stacked-bar.module.css';

export interface BarPart {
  readonly name: string;
  readonly count: number;
  /** A theme color, such as `var(--danger)`. */
  readonly color: string;
}

interface StackedBarProps {
  readonly parts: readonly BarPart[];
  readonly size?: 'small' | 'large';
}

/** Shows proportions as a single bar. The bar is hidden from screen readers, so show the counts next to it. */
export function StackedBar({ parts, size = 'small' }: StackedBarProps) {
  return (
    <div className={`${styles.bar} ${styles[size]}`} aria-hidden="true">
      {parts.map(
        ({ name, count, color }) =>
          count > 0 && (
            <span key={name} className={styles.part} style={{ flexGrow: count, background: color }} />
          ),
      )}
    </div>
  );
}
