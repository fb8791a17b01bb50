import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FilterMenu } from '../../../components/filter-menu.tsx';
import { KeyRound, Plus } from '../../../components/icons/lucide-icons.ts';
import { ListBody } from '../../../components/list-body.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { SearchField } from '../../../components/search-field.tsx';
import { Toolbar } from '../../../components/toolbar.tsx';
import { useApi } from '../../../lib/api/api.ts';
import type { ApiKey } from '../../../lib/api/types.ts';
import { parseKnownValues } from '../../../lib/search-values.ts';
import { useSession } from '../../../lib/session-context.ts';
import { useListUrlState } from '../../../lib/use-list-url-state.ts';
import { API_KEY_SORTS, apiKeysQuery, REVOKED } from '../api/list-api-keys.ts';
import { ApiKeyTable } from './api-key-table.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';

const STATUSES = [
  { value: 'false', label: 'Not revoked' },
  { value: 'true', label: 'Revoked' },
] as const;

export function ApiKeysPage() {
  const { session } = useSession();
  const list = useListUrlState({ sorts: API_KEY_SORTS, defaultSort: '-inserted_at' });
  const revoked = parseKnownValues(list.search.revoked, REVOKED);
  const search = list.search.search?.trim() ?? '';
  const { sort, page } = list;
  const keys = useQuery(apiKeysQuery(useApi(), { revoked, search, sort, page }));
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const ownPrefix = session.state.apiKey?.split('.')[0];
  const create = (
    <Button variant="primary" icon={<Plus size={16} />} onClick={() => setCreating(true)}>
      Create API key
    </Button>
  );
  return (
    <>
      <PageHeader title="API keys" actions={keys.data !== undefined && create}>
        Keys authenticate scanners and scripts. Each key acts on behalf of its user.
      </PageHeader>
      <Toolbar>
        <SearchField
          label="Search by name or prefix"
          value={search}
          onSearch={(search) => list.setFilters({ search }, { replace: true })}
        />
        <FilterMenu
          label="Status"
          options={STATUSES}
          values={revoked}
          onChange={(revoked) => list.setFilters({ revoked })}
        />
      </Toolbar>
      <ListBody
        query={keys}
        nouns={['key', 'keys']}
        page={page}
        onPage={list.setPage}
        isFiltered={revoked.length > 0 || search !== ''}
        onClearFilters={list.clearFilters}
        empty={
          <EmptyState icon={<KeyRound />} title="No API keys">
            {create}
          </EmptyState>
        }
      >
        {({ items }) => (
          <ApiKeyTable
            keys={items}
            ownPrefix={ownPrefix}
            sort={sort}
            onSort={list.setSort}
            onRevoke={({ apiKey }) => setRevoking(apiKey)}
          />
        )}
      </ListBody>
      {creating && <CreateKeyDialog onClose={() => setCreating(false)} />}
      {revoking !== undefined && (
        <RevokeDialog
          key={revoking.id}
          apiKey={revoking}
          isOwn={revoking.attributes.prefix === ownPrefix}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}
