import { useQuery } from '@tanstack/react-query';
import { ListBody } from '../../../components/list-body.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { useListUrlState } from '../../../lib/use-list-url-state.ts';
import { scansQuery } from '../api/list-scans.ts';
import { hasScanFilters, readScanFilters, SCAN_SORTS } from '../api/scan-filters.ts';
import { PushHelp } from './push-help.tsx';
import { ScanTable } from './scan-table.tsx';
import { ScanToolbar } from './scan-toolbar.tsx';

export function ScansPage() {
  const list = useListUrlState({ sorts: SCAN_SORTS, defaultSort: '-inserted_at' });
  const filters = readScanFilters(list.search);
  const { sort, page } = list;
  const scans = useQuery(scansQuery(useApi(), { filters, sort, page }));
  return (
    <>
      <PageHeader title="Scans">Results per upload and account. New scans appear automatically.</PageHeader>
      <ScanToolbar filters={filters} list={list} />
      <ListBody
        query={scans}
        nouns={['scan', 'scans']}
        page={page}
        onPage={list.setPage}
        isFiltered={hasScanFilters(filters)}
        onClearFilters={list.clearFilters}
        empty={<PushHelp />}
      >
        {({ items }) => <ScanTable scans={items} sort={sort} onSort={list.setSort} />}
      </ListBody>
    </>
  );
}
