import { type ReactNode, useEffect } from 'react';
import styles from './page-header.module.css';

interface PageHeaderProps {
  /** Of the page and of the browser's window. */
  readonly title: string;
  readonly children?: ReactNode;
  /** What can be done here, at the other end of the line. */
  readonly actions?: ReactNode;
}

/** The head of every page; `children` says in a sentence what is here. */
export function PageHeader({ title, children, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Sluice`;
  }, [title]);
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <h1>{title}</h1>
        {children !== undefined && <div className={styles.about}>{children}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
