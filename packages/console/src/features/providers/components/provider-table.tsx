import { Link } from '@tanstack/react-router';
import { IconButton } from '../../../components/icon-button.tsx';
import { CircleCheck, Pencil, Trash } from '../../../components/icons/lucide-icons.ts';
import { numeric, SortHeader, Table } from '../../../components/table.tsx';
import { Time } from '../../../components/time.tsx';
import type { Provider } from '../../../lib/api/types.ts';
import { formatCount, pluralize } from '../../../lib/format-number.ts';
import { providerTypeLabel } from '../../../lib/provider-type-label.ts';
import styles from './provider-table.module.css';

interface ProviderTableProps {
  readonly providers: readonly Provider[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onEditAlias: (provider: Provider) => void;
  readonly onResolve: (provider: Provider) => void;
  readonly onDelete: (provider: Provider) => void;
}

export function ProviderTable({ providers, sort, onSort, ...actions }: ProviderTableProps) {
  const { onEditAlias, onResolve, onDelete } = actions;
  const sorting = { sort, onSort };
  return (
    <Table label="Providers">
      <thead>
        <tr>
          <SortHeader name="type" {...sorting}>
            Type
          </SortHeader>
          <SortHeader name="account" {...sorting}>
            Account
          </SortHeader>
          <th scope="col">Name</th>
          <SortHeader name="alias" {...sorting}>
            Alias
          </SortHeader>
          <th scope="col" className={numeric}>
            Findings
          </th>
          <th scope="col" className={numeric}>
            Failing
          </th>
          <th scope="col">Last seen</th>
          <SortHeader name="inserted_at" {...sorting}>
            Added
          </SortHeader>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {providers.map((provider) => (
          <ProviderRow
            key={provider.id}
            provider={provider}
            onEditAlias={() => onEditAlias(provider)}
            onResolve={() => onResolve(provider)}
            onDelete={() => onDelete(provider)}
          />
        ))}
      </tbody>
    </Table>
  );
}

interface ProviderRowProps {
  readonly provider: Provider;
  readonly onEditAlias: () => void;
  readonly onResolve: () => void;
  readonly onDelete: () => void;
}

function ProviderRow({ provider: { id, attributes }, onEditAlias, onResolve, onDelete }: ProviderRowProps) {
  const { type, account, name, alias, findings, last_seen_at, inserted_at } = attributes;
  return (
    <tr>
      <td className={styles.time}>{providerTypeLabel(type)}</td>
      <td className={styles.text}>
        <Link to="/scans" search={{ provider: id }} title="View scans">
          {account}
        </Link>
      </td>
      <td className={styles.text}>{name ?? <None />}</td>
      <td className={styles.text}>{alias ?? <None />}</td>
      <td className={numeric}>
        <Link
          to="/findings"
          search={{ provider: id }}
          aria-label={`${pluralize(findings.total, 'finding')} in ${account}`}
        >
          {formatCount(findings.total)}
        </Link>
      </td>
      <td className={numeric}>
        <Link
          to="/findings"
          search={{ provider: id, status: 'FAIL', muted: 'false' }}
          aria-label={`${pluralize(findings.failing, 'failing finding')} in ${account}`}
        >
          {formatCount(findings.failing)}
        </Link>
      </td>
      <td className={styles.time}>{last_seen_at === null ? <None /> : <Time time={last_seen_at} />}</td>
      <td className={styles.time}>
        <Time time={inserted_at} />
      </td>
      <td className={styles.actions}>
        <IconButton label={`Edit alias for ${account}`} onClick={onEditAlias}>
          <Pencil size={16} />
        </IconButton>
        <IconButton label={`Resolve findings in ${account}`} onClick={onResolve}>
          <CircleCheck size={16} />
        </IconButton>
        <IconButton label={`Delete provider ${account}`} onClick={onDelete}>
          <Trash size={16} />
        </IconButton>
      </td>
    </tr>
  );
}

function None() {
  return <span className={styles.none}>–</span>;
}
