import { type ReactNode, useEffect } from 'react';
import styles from './page-header.module.css';

interface PageHeaderProps {
  /** The heading, also used as the document title. */
  readonly title: string;
  readonly children?: ReactNode;
  /** Buttons and menus at the end of the header. */
  readonly actions?: ReactNode;
}

/** The header of every page. `children` is a one-sentence description. */
export function PageHeader({ title, children, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Sluice`;
  }, [title]);
  return (
    <header className={styles.header}>
      <div className={styles.text}>
        <h1>{title}</h1>
        {children !== undefined && <div className={styles.description}>{children}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
