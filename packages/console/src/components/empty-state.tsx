import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  readonly icon: ReactNode;
  readonly title: string;
  /** Explains the next step. */
  readonly children: ReactNode;
}

/** Replaces an empty list. */
export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <div className={styles.icon} aria-hidden="true">
        {icon}
      </div>
      <h2>{title}</h2>
      <div className={styles.content}>{children}</div>
    </div>
  );
}
