import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { FilterChips } from '../../../components/filter-chips.tsx';
import { FilterMenu } from '../../../components/filter-menu.tsx';
import { ListBody } from '../../../components/list-body.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Toolbar } from '../../../components/toolbar.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { formatCount } from '../../../lib/format-number.ts';
import { parseList } from '../../../lib/search-values.ts';
import { useListUrlState } from '../../../lib/use-list-url-state.ts';
import { ERROR_SORTS, type ErrorPage, errorsQuery } from '../api/list-errors.ts';
import { ErrorPanel } from './error-panel.tsx';
import styles from './errors-section.module.css';
import { ErrorsTable } from './errors-table.tsx';
import { ExportButton } from './export-button.tsx';
import { NoErrors } from './no-errors.tsx';

interface ErrorsSectionProps {
  readonly ingestionId: string;
  readonly fileName: string;
  readonly running: boolean;
}

const PAGE_SIZE = 50;

/** The errors of a job. */
export function ErrorsSection({ ingestionId, fileName, running }: ErrorsSectionProps) {
  const heading = useId();
  const urlState = useListUrlState({ sorts: ERROR_SORTS, defaultSort: 'byte_offset' });
  const { search, page, sort, setFilters } = urlState;
  const codes = parseList(search.code);
  const list = { ingestionId, codes, sort };
  const query = useQuery(errorsQuery(useApi(), { ...list, page, pageSize: PAGE_SIZE }, running));
  const options = Object.entries(query.data?.counts ?? {}).map(([value, count]) => ({
    value,
    label: <code>{value}</code>,
    count,
  }));
  const chips = codes.map((code) => ({
    key: code,
    label: 'Code',
    value: code,
    onRemove: () => setFilters({ code: codes.filter((each) => each !== code) }),
  }));
  return (
    <section aria-labelledby={heading}>
      <div className={styles.header}>
        <div>
          <h2 id={heading}>Errors</h2>
          <p className={styles.description}>Records are numbered from 0 in file order.</p>
        </div>
        <Toolbar>
          <FilterMenu
            label="Code"
            options={options}
            values={codes}
            onChange={(code) => setFilters({ code })}
          />
          <ExportButton list={list} fileName={fileName} count={query.data?.count ?? 0} />
        </Toolbar>
      </div>
      <FilterChips chips={chips} onClear={urlState.clearFilters} />
      {query.data !== undefined && codes.length === 0 && <TruncationNotice page={query.data} />}
      <ListBody
        query={query}
        nouns={['error', 'errors']}
        page={page}
        onPage={urlState.setPage}
        isFiltered={codes.length > 0}
        onClearFilters={urlState.clearFilters}
        empty={<NoErrors running={running} />}
      >
        {({ items }) => <ErrorsTable errors={items} sort={sort} onSort={urlState.setSort} />}
      </ListBody>
      <ErrorPanel ingestionId={ingestionId} errors={query.data?.items} selected={search.error} />
    </section>
  );
}

/** Explains that the service stores only a job's first errors, but counts all errors. */
function TruncationNotice({ page: { count, counts } }: { readonly page: ErrorPage }) {
  const all = Object.values(counts).reduce((sum, each) => sum + each, 0);
  if (all <= count) return null;
  return (
    <div className={styles.notice}>
      <Notice>
        Only the first {formatCount(count)} of {formatCount(all)} errors are stored and listed. The counts by
        code include all errors.
      </Notice>
    </div>
  );
}
