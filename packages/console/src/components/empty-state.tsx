import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  readonly icon: ReactNode;
  readonly title: string;
  /** What to do next. */
  readonly children: ReactNode;
}

/** Instead of an empty list. */
export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <div className={styles.icon} aria-hidden="true">
        {icon}
      </div>
      <h2>{title}</h2>
      <div className={styles.words}>{children}</div>
    </div>
  );
}
