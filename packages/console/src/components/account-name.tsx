import type { ReactNode } from 'react';
import { providerTypeLabel } from '../lib/provider-type-label.ts';
import styles from './account-name.module.css';

interface AccountNameProps {
  readonly type: string;
  readonly account: string;
  readonly alias: string | null;
  readonly name: string | null;
  /** Wraps the display name in a link. */
  readonly link?: (displayName: string) => ReactNode;
}

/** The display name of an account (alias, name or ID), with its provider type and ID. */
export function AccountName({ type, account, alias, name, link }: AccountNameProps) {
  const displayName = alias ?? name ?? account;
  return (
    <div className={styles.account}>
      <span className={styles.displayName} title={displayName}>
        {link === undefined ? displayName : link(displayName)}
      </span>
      <span className={styles.id}>
        <span className={styles.type}>{providerTypeLabel(type)}</span>
        {displayName !== account && (
          <span className={styles.accountId} title={account}>
            {account}
          </span>
        )}
      </span>
    </div>
  );
}
