import { lazy, Suspense, useCallback, useMemo } from 'react';
import { Button } from '../../../components/button.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { formatCount, pluralize } from '../../../lib/format-number.ts';
import { filterQuery } from '../api/filters.ts';
import { ActiveFilters } from './active-filters.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { COLUMN_IDS, getRequiredFields, NARROW_COLUMNS } from './columns.tsx';
import { ExportMenu } from './export-menu.tsx';
import { Facets } from './facets.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FindingsGrid } from './findings-grid.tsx';
import styles from './findings-page.module.css';
import { FindingsSkeleton } from './findings-skeleton.tsx';
import { NoFindings } from './no-findings.tsx';
import { MAX_ROWS, useDisplayedView } from './use-displayed-view.ts';
import { useFindingSearch } from './use-finding-search.ts';
import { useFindingSteps } from './use-finding-steps.ts';
import { useHiddenColumns } from './use-hidden-columns.ts';
import { useHrefBase } from './use-href-base.ts';
import { useMedia } from './use-media.ts';

const FindingPanel = lazy(async () => ({ default: (await import('./finding-panel.tsx')).FindingPanel }));

export function FindingsPage() {
  const search = useFindingSearch();
  const { filters: activeFilters, sort, finding, openFinding, setSort } = search;
  const narrow = useMedia('(max-width: 47.99rem)');
  const [hidden, hide] = useHiddenColumns();
  const visible = useMemo(
    () => (narrow ? NARROW_COLUMNS : COLUMN_IDS.filter((id) => !hidden.includes(id))),
    [narrow, hidden],
  );
  const filters = filterQuery(activeFilters);
  const requestedView = useMemo(
    () => ({ filters, sort, fields: getRequiredFields(visible) }),
    [filters, sort, visible],
  );
  const { view, count, isChanging, error, retry } = useDisplayedView(requestedView);
  const rows = Math.min(count ?? 0, MAX_ROWS);
  const steps = useFindingSteps({
    view,
    count: rows,
    finding,
    open: (id) => openFinding(id, { replace: true }),
  });
  const hrefBase = useHrefBase();
  const open = useCallback((id: string) => openFinding(id), [openFinding]);
  return (
    <div className={styles.page}>
      <PageHeader
        title="Findings"
        actions={
          <>
            {!narrow && <ColumnMenu hidden={hidden} onHide={hide} />}
            <ExportMenu filters={filters} sort={sort} count={count ?? 0} />
          </>
        }
      >
        <p role="status">
          {count !== undefined && pluralize(count, 'finding')}
          {rows < (count ?? 0) &&
            `. Showing the first ${formatCount(MAX_ROWS)}. Add filters to narrow the list, or export all findings.`}
        </p>
      </PageHeader>
      <FilterBar search={search} />
      {search.dropped.length > 0 && (
        <div className={styles.notice}>
          <Notice
            variant="warning"
            live
            actions={<Button onClick={search.removeDropped}>Remove invalid filters</Button>}
          >
            Some filters in the URL are invalid and were ignored: {search.dropped.join(', ')}.
          </Notice>
        </div>
      )}
      <Facets search={search} />
      <ActiveFilters search={search} />
      {error !== null && (
        <div className={styles.notice}>
          <ErrorNotice error={error} retry={retry} />
        </div>
      )}
      {count === undefined && error === null && <FindingsSkeleton />}
      {count === 0 && <NoFindings search={search} />}
      {count !== undefined && count > 0 && (
        <FindingsGrid
          key={narrow ? 'cards' : 'rows'}
          view={view}
          count={rows}
          visible={visible}
          narrow={narrow}
          busy={isChanging}
          active={steps.active}
          onActive={steps.setActive}
          hrefBase={hrefBase}
          onOpen={open}
          onSort={setSort}
        />
      )}
      {finding !== undefined && (
        <Suspense>
          <FindingPanel
            id={finding}
            position={steps.position === undefined ? undefined : { index: steps.position, count: rows }}
            previous={steps.stepTo(-1)}
            next={steps.stepTo(1)}
            onClose={() => openFinding(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}
