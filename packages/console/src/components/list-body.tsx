import type { ReactNode } from 'react';
import type { ListPage } from '../lib/api/list-page.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { EmptyState } from './empty-state.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { SearchX } from './icons/lucide-icons.ts';
import styles from './list-body.module.css';
import { Pagination } from './pagination.tsx';
import { Skeleton } from './skeleton.tsx';

interface ListBodyProps<Page extends ListPage<unknown>> {
  /** Of TanStack Query. */
  readonly query: {
    readonly data: Page | undefined;
    readonly error: unknown;
    readonly isPlaceholderData: boolean;
    readonly refetch: () => unknown;
  };
  /** What there is so many of: one of them, and several. */
  readonly nouns: readonly [singular: string, plural: string];
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly isFiltered: boolean;
  readonly onClearFilters: () => void;
  /** Instead of a list that has never had anything. */
  readonly empty: ReactNode;
  readonly children: (page: Page) => ReactNode;
}

/** A list in each of its states: on its way, failed, empty, empty by its filters, beyond its end, or there. */
export function ListBody<Page extends ListPage<unknown>>(props: ListBodyProps<Page>) {
  const { query, nouns, page, onPage, isFiltered, onClearFilters, empty, children } = props;
  const { data, error } = query;
  const notice = error != null && <ErrorNotice error={error} retry={() => void query.refetch()} />;
  if (data === undefined) return notice || <Card>{<Skeleton lines={10} />}</Card>;
  return (
    <>
      {notice !== false && <div className={styles.notice}>{notice}</div>}
      <Card flush>
        {data.items.length > 0 && (
          <div
            className={query.isPlaceholderData ? styles.old : undefined}
            aria-busy={query.isPlaceholderData}
          >
            {children(data)}
          </div>
        )}
        {data.items.length === 0 && data.count > 0 && (
          <EmptyState icon={<SearchX />} title="This page is beyond the end of the list">
            <p>The list may have become shorter.</p>
            <Button onClick={() => onPage(1)}>Go to the first page</Button>
          </EmptyState>
        )}
        {data.count === 0 && isFiltered && (
          <EmptyState icon={<SearchX />} title={`No ${nouns[1]} match these filters`}>
            <Button onClick={onClearFilters}>Clear all filters</Button>
          </EmptyState>
        )}
        {data.count === 0 && !isFiltered && empty}
        {data.items.length > 0 && (
          <Pagination
            page={page}
            pages={data.pages}
            count={data.count}
            noun={data.count === 1 ? nouns[0] : nouns[1]}
            onPage={onPage}
          />
        )}
      </Card>
    </>
  );
}
