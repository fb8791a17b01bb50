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

/** Shown if there are no findings, or none that match the filters. */
export function NoFindings({ search }: { readonly search: FindingSearch }) {
  const { data } = useQuery(summaryQuery(useApi(), ''));
  if (data === undefined) return <Skeleton lines={6} />;
  if (data.count === 0)
    return (
      <EmptyState icon={<FileUp />} title="No findings yet">
        <p>
          Upload an .ocsf.json file from your scanner. Drop it anywhere on this page, or choose files to
          upload.
        </p>
        <UploadButton />
      </EmptyState>
    );
  return (
    <EmptyState icon={<SearchX />} title="No findings match these filters">
      <p>{pluralize(data.count, 'open finding')} in total</p>
      <Button variant="primary" onClick={search.clearFilters}>
        Clear all filters
      </Button>
    </EmptyState>
  );
}
