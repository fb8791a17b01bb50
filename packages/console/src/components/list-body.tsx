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
  /** The result of `useQuery`. */
  readonly query: {
    readonly data: Page | undefined;
    readonly error: unknown;
    readonly isPlaceholderData: boolean;
    readonly refetch: () => unknown;
  };
  /** The noun for the list items. */
  readonly nouns: readonly [singular: string, plural: string];
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly isFiltered: boolean;
  readonly onClearFilters: () => void;
  /** Shown if there are no items and no filters. */
  readonly empty: ReactNode;
  readonly children: (page: Page) => ReactNode;
}

/** Shows a list in any of its states: loading, failed, empty, no matches, page out of range, or loaded. */
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
            className={query.isPlaceholderData ? styles.stale : undefined}
            aria-busy={query.isPlaceholderData}
          >
            {children(data)}
          </div>
        )}
        {data.items.length === 0 && data.count > 0 && (
          <EmptyState icon={<SearchX />} title="No items on this page">
            <p>This page is past the end of the list.</p>
            <Button onClick={() => onPage(1)}>Go to first page</Button>
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
