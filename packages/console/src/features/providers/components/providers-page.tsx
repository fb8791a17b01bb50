import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FilterMenu } from '../../../components/filter-menu.tsx';
import { Boxes } from '../../../components/icons/lucide-icons.ts';
import { ListBody } from '../../../components/list-body.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { SearchField } from '../../../components/search-field.tsx';
import { Toolbar } from '../../../components/toolbar.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { subscriptionQuery } from '../../../lib/api/subscription.ts';
import type { Provider } from '../../../lib/api/types.ts';
import { providerTypeLabel } from '../../../lib/provider-type-label.ts';
import { parseList } from '../../../lib/search-values.ts';
import { useListUrlState } from '../../../lib/use-list-url-state.ts';
import { PROVIDER_SORTS, providersQuery } from '../api/list-providers.ts';
import { AliasDialog } from './alias-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { ProviderTable } from './provider-table.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';

export function ProvidersPage() {
  const api = useApi();
  const list = useListUrlState({ sorts: PROVIDER_SORTS, defaultSort: 'type' });
  const types = parseList(list.search.provider_type);
  const search = list.search.search?.trim() ?? '';
  const { sort, page } = list;
  const providers = useQuery(providersQuery(api, { types, search, sort, page }));
  const { data: subscription } = useQuery(subscriptionQuery(api));
  const [editing, setEditing] = useState<Provider>();
  const [resolving, setResolving] = useState<Provider>();
  const [deleting, setDeleting] = useState<Provider>();
  const counted = subscription?.attributes.providers_by_type ?? [];
  const unknown = types.filter((type) => !counted.some((each) => each.type === type));
  const options = [
    ...counted.map(({ type, providers }) => ({
      value: type,
      label: providerTypeLabel(type),
      count: providers,
    })),
    ...unknown.map((type) => ({ value: type, label: providerTypeLabel(type) })),
  ];
  return (
    <>
      <PageHeader title="Providers">
        Accounts with findings. Each account counts toward your <Link to="/subscription">subscription</Link>.
      </PageHeader>
      <Toolbar>
        <SearchField
          label="Search accounts, names and aliases"
          value={search}
          onSearch={(search) => list.setFilters({ search }, { replace: true })}
        />
        <FilterMenu
          label="Type"
          options={options}
          values={types}
          onChange={(provider_type) => list.setFilters({ provider_type })}
        />
      </Toolbar>
      <ListBody
        query={providers}
        nouns={['provider', 'providers']}
        page={page}
        onPage={list.setPage}
        isFiltered={types.length > 0 || search !== ''}
        onClearFilters={list.clearFilters}
        empty={
          <EmptyState icon={<Boxes />} title="No providers yet">
            <p>
              An account is added as a provider when its first finding is uploaded. To upload findings, see{' '}
              <Link to="/scans">Scans</Link>.
            </p>
          </EmptyState>
        }
      >
        {({ items }) => (
          <ProviderTable
            providers={items}
            sort={sort}
            onSort={list.setSort}
            onEditAlias={setEditing}
            onResolve={setResolving}
            onDelete={setDeleting}
          />
        )}
      </ListBody>
      {editing !== undefined && (
        <AliasDialog key={editing.id} provider={editing} onClose={() => setEditing(undefined)} />
      )}
      {resolving !== undefined && (
        <ResolveDialog key={resolving.id} provider={resolving} onClose={() => setResolving(undefined)} />
      )}
      {deleting !== undefined && (
        <DeleteDialog key={deleting.id} provider={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </>
  );
}
