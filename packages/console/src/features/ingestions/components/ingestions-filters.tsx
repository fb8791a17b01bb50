import { JobStatusBadge } from '../../../components/badges.tsx';
import { DateRange } from '../../../components/date-range.tsx';
import { FilterMenu } from '../../../components/filter-menu.tsx';
import { SearchField } from '../../../components/search-field.tsx';
import { Toolbar } from '../../../components/toolbar.tsx';
import type { IngestionStatus } from '../../../lib/api/types.ts';

export const INGESTION_STATUSES = [
  'pending',
  'processing',
  'completed',
  'failed',
] as const satisfies readonly IngestionStatus[];

const OPTIONS = INGESTION_STATUSES.map((status) => ({
  value: status,
  label: <JobStatusBadge status={status} />,
}));

interface IngestionsFiltersProps {
  readonly statuses: readonly IngestionStatus[];
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly text: string | undefined;
  readonly onChange: (
    filters: Readonly<Record<string, string | readonly string[]>>,
    options?: { readonly replace?: boolean },
  ) => void;
}

export function IngestionsFilters({ statuses, from, to, text, onChange }: IngestionsFiltersProps) {
  return (
    <Toolbar>
      <SearchField
        label="Search by file name or upload ID"
        value={text ?? ''}
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      <FilterMenu
        label="Status"
        options={OPTIONS}
        values={statuses}
        onChange={(status) => onChange({ status })}
      />
      <DateRange
        label="Uploaded"
        from={from}
        to={to}
        onFrom={(day) => onChange({ from: day }, { replace: true })}
        onTo={(day) => onChange({ to: day }, { replace: true })}
      />
    </Toolbar>
  );
}
