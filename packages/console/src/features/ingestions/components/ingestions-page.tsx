import { useQuery } from '@tanstack/react-query';
import { FilterChips } from '../../../components/filter-chips.tsx';
import { ListBody } from '../../../components/list-body.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { UploadButton } from '../../../components/upload-button.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { parseDay, parseKnownValues, parseLabel } from '../../../lib/search-values.ts';
import { useListUrlState } from '../../../lib/use-list-url-state.ts';
import { INGESTION_SORTS, ingestionsQuery } from '../api/list-ingestions.ts';
import { INGESTION_STATUSES, IngestionsFilters } from './ingestions-filters.tsx';
import { IngestionsTable } from './ingestions-table.tsx';
import { NoIngestions } from './no-ingestions.tsx';

export function IngestionsPage() {
  const urlState = useListUrlState({ sorts: INGESTION_SORTS, defaultSort: '-requested_at' });
  const { search, page, sort } = urlState;
  const filters = {
    statuses: parseKnownValues(search.status, INGESTION_STATUSES),
    from: parseDay(search.from),
    to: parseDay(search.to),
    text: search.search,
  };
  const { statuses, from, to, text } = filters;
  const label = parseLabel(search.label);
  const isFiltered =
    statuses.length > 0 || [from, to, text, label].some((value) => value !== undefined && value !== '');
  const query = useQuery(ingestionsQuery(useApi(), { ...filters, label, sort, page }));
  const removeLabel = () => urlState.setFilters({ label: undefined });
  return (
    <>
      <PageHeader title="Uploads" actions={<UploadButton />}>
        Invalid records are rejected with a reason; valid records in the same file are ingested.
      </PageHeader>
      <IngestionsFilters {...filters} onChange={urlState.setFilters} />
      {label !== undefined && (
        <FilterChips
          chips={[{ key: 'label', label: 'Label', value: label, onRemove: removeLabel }]}
          onClear={urlState.clearFilters}
        />
      )}
      <ListBody
        query={query}
        nouns={['upload', 'uploads']}
        page={page}
        onPage={urlState.setPage}
        isFiltered={isFiltered}
        onClearFilters={urlState.clearFilters}
        empty={<NoIngestions />}
      >
        {({ items }) => <IngestionsTable ingestions={items} sort={sort} onSort={urlState.setSort} />}
      </ListBody>
    </>
  );
}
