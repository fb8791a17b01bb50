import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FileUp, SearchX } from '../../../components/icons/lucide-icons.ts';
import { Skeleton } from '../../../components/skeleton.tsx';
import { UploadButton } from '../../../components/upload-button.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { pluralize } from '../../../lib/format-number.ts';
import { summaryQuery } from '../api/summarize-findings.ts';
import type { FindingSearch } from './use-finding-search.ts';

/** Instead of the table: there are no findings at all, or none under these filters. */
export function NoFindings({ search }: { readonly search: FindingSearch }) {
  const { data } = useQuery(summaryQuery(useApi(), ''));
  if (data === undefined) return <Skeleton lines={6} />;
  if (data.count === 0)
    return (
      <EmptyState icon={<FileUp />} title="There are no findings yet">
        <p>Upload an .ocsf.json file of your scanner: drop it anywhere on this page, or choose it.</p>
        <UploadButton />
      </EmptyState>
    );
  return (
    <EmptyState icon={<SearchX />} title="No finding matches">
      <p>The tenant has {pluralize(data.count, 'finding')}, none of them under these filters.</p>
      <Button variant="primary" onClick={search.clearFilters}>
        Clear all filters
      </Button>
    </EmptyState>
  );
}
