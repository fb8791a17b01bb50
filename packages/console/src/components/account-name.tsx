import type { ReactNode } from 'react';
import styles from './account-name.module.css';

interface AccountNameProps {
  readonly type: string;
  readonly account: string;
  readonly alias: string | null;
  readonly name: string | null;
  /** What leads from it to somewhere else, around what it is called. */
  readonly link?: (called: string) => ReactNode;
}

/** An account as its tenant calls it, with its id at the provider. */
export function AccountName({ type, account, alias, name, link }: AccountNameProps) {
  const called = alias ?? name ?? account;
  return (
    <div className={styles.account}>
      <span className={styles.called} title={called}>
        {link === undefined ? called : link(called)}
      </span>
      <span className={styles.id}>
        <span className={styles.type}>{type}</span>
        {called !== account && (
          <span className={styles.own} title={account}>
            {account}
          </span>
        )}
      </span>
    </div>
  );
}
