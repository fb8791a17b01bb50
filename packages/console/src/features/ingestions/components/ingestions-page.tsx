import { useQuery } from '@tanstack/react-query';
import { ListBody } from '../../../components/list-body.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { UploadButton } from '../../../components/upload-button.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { parseDay, parseKnownValues } from '../../../lib/search-values.ts';
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
  const isFiltered =
    statuses.length > 0 || from !== undefined || to !== undefined || (text !== undefined && text !== '');
  const query = useQuery(ingestionsQuery(useApi(), { ...filters, sort, page }));
  return (
    <>
      <PageHeader title="Uploads" actions={<UploadButton />}>
        Invalid records are rejected with a reason; valid records in the same file are ingested.
      </PageHeader>
      <IngestionsFilters {...filters} onChange={urlState.setFilters} />
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
