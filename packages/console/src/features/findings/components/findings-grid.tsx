import { useTable } from '@tanstack/react-table';
import { type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
} from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SortButton, sortDirection } from '../../../components/table.tsx';
import type { View } from '../api/list-findings.ts';
import { columns, features, getColumnDefinition, TITLE_COLUMN } from './columns.tsx';
import styles from './findings-grid.module.css';
import { GridRow } from './grid-row.tsx';
import { useRows } from './use-rows.ts';

/** Heights in pixels, which must match the style sheet. */
const ROW_HEIGHT = 40;
const CARD_HEIGHT = 68;
const HEADER_HEIGHT = 40;
const OVERSCAN = 5;
/** The gap between columns and the total horizontal padding, in pixels. */
const GAP = 12;
const PADDING = 32;

interface FindingsGridProps {
  readonly view: View;
  readonly count: number;
  readonly visible: readonly string[];
  /** Shows rows as two-line cards. */
  readonly narrow: boolean;
  readonly busy: boolean;
  /** The index of the active row. */
  readonly active: number;
  readonly onActive: (index: number) => void;
  /** The URL of finding details, up to but not including the ID. */
  readonly hrefBase: string;
  readonly onOpen: (id: string) => void;
  readonly onSort: (sort: string) => void;
}

/** A virtualized table: only visible rows are rendered, and only their pages are loaded. */
export function FindingsGrid(props: FindingsGridProps) {
  const { view, count, visible, narrow, busy, active, onActive, onOpen, onSort } = props;
  const id = useId();
  const scroller = useRef<HTMLTableElement>(null);
  const size = narrow ? CARD_HEIGHT : ROW_HEIGHT;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => size,
    rangeExtractor: useRowPool(),
    scrollMargin: HEADER_HEIGHT,
    scrollPaddingStart: HEADER_HEIGHT,
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const { rows: found, error } = useRows(view, {
    first: items[0]?.index ?? 0,
    last: items.at(-1)?.index ?? 0,
    count,
  });
  const table = useTable({
    features,
    columns,
    data: found,
    getRowId: ({ index }) => String(index),
    state: { columnVisibility: useVisibility(visible) },
  });
  const { rowsById } = table.getRowModel();

  const list = `${view.filters} ${view.sort}`;
  const shownList = useRef(list);
  useEffect(() => {
    if (shownList.current !== list) scroller.current?.scrollTo({ top: 0 });
    shownList.current = list;
  }, [list]);
  const wasActive = useRef(active);
  useEffect(() => {
    if (wasActive.current !== active) virtualizer.scrollToIndex(active);
    wasActive.current = active;
  }, [virtualizer, active]);

  const open = useCallback(
    (opened: string, index: number) => {
      onActive(index);
      // Focus returns to the table, because the row may no longer be rendered when the panel closes.
      scroller.current?.focus({ preventScroll: true });
      onOpen(opened);
    },
    [onActive, onOpen],
  );
  const press = (event: KeyboardEvent) => {
    // Buttons in the column headers handle their own keyboard events.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const perPage = Math.max(
      1,
      Math.floor(((scroller.current?.clientHeight ?? 0) - HEADER_HEIGHT) / size) - 1,
    );
    const step = getStep(event.key, count, perPage);
    const activeId = rowsById[String(active)]?.original.finding.id;
    if (step !== undefined) onActive(Math.min(Math.max(active + step, 0), count - 1));
    else if ((event.key === 'Enter' || event.key === ' ') && activeId !== undefined) onOpen(activeId);
    else return;
    event.preventDefault();
  };
  const headers = table.getHeaderGroups().flatMap((group) => group.headers);
  const template = headers
    .map(({ column }) => `minmax(${column.getSize()}px, ${column.getSize() * getColumnWeight(column.id)}fr)`)
    .join(' ');
  const width = headers.reduce((sum, header) => sum + header.getSize() + GAP, PADDING - GAP);
  const style: CSSProperties & Record<'--columns', string> = { '--columns': template };
  const isRendered = items.some(({ index }) => index === active);
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} />}
      <table
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: ARIA in HTML allows the grid role on tables
        role="grid"
        aria-label="Findings"
        aria-rowcount={count + 1}
        aria-busy={busy}
        aria-activedescendant={isRendered ? `${id}-${active}` : undefined}
        tabIndex={0}
        onKeyDown={press}
        className={`${styles.grid} ${narrow ? styles.narrow : ''}`}
        style={style}
        data-scroll-restoration-id="findings"
      >
        <thead className={styles.head} style={narrow ? undefined : { minWidth: width }}>
          <tr aria-rowindex={1} className={styles.row}>
            {headers.map(({ column }) => {
              const { label, sort } = getColumnDefinition(column.id);
              return (
                <th
                  key={column.id}
                  scope="col"
                  aria-sort={sort === undefined ? undefined : sortDirection(sort, view.sort)}
                  className={styles.header}
                >
                  {sort === undefined ? (
                    label
                  ) : (
                    <SortButton name={sort} sort={view.sort} onSort={onSort}>
                      {label}
                    </SortButton>
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody
          className={styles.body}
          style={{
            // Positions the body instead of each row, because inline styles on every row are slow in Chromium 156.
            paddingTop: (items[0]?.start ?? HEADER_HEIGHT) - HEADER_HEIGHT,
            height: virtualizer.getTotalSize(),
            ...(!narrow && { minWidth: width }),
          }}
        >
          {items.map(({ index }) => (
            <GridRow
              // Reuses the elements of rows that scrolled out of view.
              key={index % items.length}
              id={`${id}-${index}`}
              index={index}
              columns={headers.length}
              row={rowsById[String(index)]}
              isActive={index === active}
              hrefBase={props.hrefBase}
              onOpen={open}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The title column gets most of the remaining width. */
function getColumnWeight(column: string): number {
  return column === TITLE_COLUMN ? 4 : 1;
}

/** Returns the number of rows by which a key press moves the focus (ARIA Authoring Practices, "Grid"). */
function getStep(key: string, count: number, perPage: number): number | undefined {
  const steps = new Map([
    ['ArrowDown', 1],
    ['ArrowUp', -1],
    ['PageDown', perPage],
    ['PageUp', -perPage],
    ['Home', -count],
    ['End', count],
  ]);
  return steps.get(key);
}

/** Returns the visible rows plus overscan. The count is constant so that elements can be reused. */
function useRowPool(): (range: Range) => number[] {
  const size = useRef(0);
  return useCallback(({ startIndex, endIndex, count }: Range) => {
    size.current = Math.min(Math.max(size.current, endIndex - startIndex + 1 + 2 * OVERSCAN), count);
    const first = Math.min(Math.max(startIndex - OVERSCAN, 0), count - size.current);
    return Array.from({ length: size.current }, (_, index) => first + index);
  }, []);
}

function useVisibility(visible: readonly string[]): Record<string, boolean> {
  return useMemo(
    () => Object.fromEntries(columns.map(({ id = '' }) => [id, visible.includes(id)])),
    [visible],
  );
}
