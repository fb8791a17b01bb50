import { type ReactNode, useId } from 'react';
import styles from './card.module.css';

interface CardProps {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Removes the padding, for tables with their own padding. */
  readonly flush?: boolean;
}

/** A section of a page with its own background. */
export function Card({ title, actions, children, flush = false }: CardProps) {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <div className={styles.head}>
          <h2 id={id}>{title}</h2>
          {actions}
        </div>
      )}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}
