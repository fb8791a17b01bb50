import { Button } from '../../../components/button.tsx';
import { SortHeader, Table } from '../../../components/table.tsx';
import { Tag } from '../../../components/tag.tsx';
import { Time } from '../../../components/time.tsx';
import type { ListedKey } from '../api/list-api-keys.ts';
import styles from './api-key-table.module.css';

interface ApiKeyTableProps {
  readonly keys: readonly ListedKey[];
  /** The prefix of the current key. */
  readonly ownPrefix: string | undefined;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onRevoke: (key: ListedKey) => void;
}

export function ApiKeyTable({ keys, ownPrefix, sort, onSort, onRevoke }: ApiKeyTableProps) {
  const withUsers = keys.some(({ user }) => user !== undefined);
  const sorting = { sort, onSort };
  return (
    <Table label="API keys">
      <thead>
        <tr>
          <th scope="col">Name</th>
          {withUsers && <th scope="col">User</th>}
          <th scope="col">Permissions</th>
          <SortHeader name="inserted_at" {...sorting}>
            Created
          </SortHeader>
          <SortHeader name="expires_at" {...sorting}>
            Expires
          </SortHeader>
          <SortHeader name="last_used_at" {...sorting}>
            Last used
          </SortHeader>
          <th scope="col">Status</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((listed) => (
          <ApiKeyRow
            key={listed.apiKey.id}
            listed={listed}
            withUser={withUsers}
            isOwn={listed.apiKey.attributes.prefix === ownPrefix}
            onRevoke={() => onRevoke(listed)}
          />
        ))}
      </tbody>
    </Table>
  );
}

interface ApiKeyRowProps {
  readonly listed: ListedKey;
  readonly withUser: boolean;
  readonly isOwn: boolean;
  readonly onRevoke: () => void;
}

function ApiKeyRow({ listed: { apiKey, user }, withUser, isOwn, onRevoke }: ApiKeyRowProps) {
  const { name, prefix, permissions, inserted_at, expires_at, revoked_at, last_used_at } = apiKey.attributes;
  return (
    <tr className={revoked_at === null ? undefined : styles.revoked}>
      <td className={styles.text}>
        <span className={styles.name}>{name ?? 'Created by operator'}</span> {isOwn && <Tag>Current key</Tag>}
        <br />
        <code>{prefix}</code>
      </td>
      {withUser && <td className={styles.text}>{user?.attributes.email}</td>}
      <td className={styles.permissions}>
        {permissions === null
          ? "All of the user's permissions"
          : permissions.length === 0
            ? 'None'
            : permissions.map((permission) => <code key={permission}>{permission} </code>)}
      </td>
      <td className={styles.time}>
        <Time time={inserted_at} />
      </td>
      <td className={styles.time}>{expires_at === null ? 'Never' : <Time time={expires_at} />}</td>
      <td className={styles.time}>{last_used_at === null ? 'Never' : <Time time={last_used_at} />}</td>
      <td className={styles.time}>
        <KeyStatus expiresAt={expires_at} revokedAt={revoked_at} />
      </td>
      <td>
        {revoked_at === null && (
          <Button variant="danger" aria-label={`Revoke key ${name ?? prefix}`} onClick={onRevoke}>
            Revoke key
          </Button>
        )}
      </td>
    </tr>
  );
}

interface KeyStatusProps {
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

function KeyStatus({ expiresAt, revokedAt }: KeyStatusProps) {
  if (revokedAt !== null) {
    return (
      <>
        Revoked <Time time={revokedAt} />
      </>
    );
  }
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'Expired' : 'Active';
}
