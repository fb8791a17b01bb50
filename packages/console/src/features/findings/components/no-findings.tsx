import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileUp, SearchX } from 'lucide-react';
import { Button, buttonClass } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { countOf } from '../../../lib/format-number.ts';
import { summaryQuery } from '../api/summarize-findings.ts';
import type { FindingSearch } from './use-finding-search.ts';

/** Instead of the table: there are no findings at all, or none under these filters. */
export function NoFindings({ search }: { readonly search: FindingSearch }) {
  const { data } = useQuery(summaryQuery(useApi(), ''));
  if (data === undefined) return <Skeleton lines={6} />;
  if (data.count === 0)
    return (
      <EmptyState icon={<FileUp />} title="There are no findings yet">
        <p>Drop an .ocsf.json file anywhere on this page, or upload one there:</p>
        <Link to="/ingestions" className={buttonClass('primary')}>
          Go to the ingestions
        </Link>
      </EmptyState>
    );
  return (
    <EmptyState icon={<SearchX />} title="No finding matches">
      <p>The tenant has {countOf(data.count, 'finding')}, none of them under these filters.</p>
      <Button look="primary" onClick={search.clearFilters}>
        Clear all filters
      </Button>
    </EmptyState>
  );
}
