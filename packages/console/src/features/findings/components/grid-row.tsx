import { FlexRender, type Row } from '@tanstack/react-table';
import { type MouseEvent, memo } from 'react';
import { type features, TITLE_COLUMN } from './columns.tsx';
import styles from './findings-grid.module.css';
import type { VisibleRow } from './use-rows.ts';

interface GridRowProps {
  readonly id: string;
  /** The index in the list, starting at 0. */
  readonly index: number;
  readonly columns: number;
  /** `undefined` while loading. */
  readonly row: Row<typeof features, VisibleRow> | undefined;
  readonly isActive: boolean;
  readonly hrefBase: string;
  readonly onOpen: (id: string, index: number) => void;
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { id, index, columns, row, isActive, hrefBase, onOpen } = props;
  const finding = row?.original.finding.id ?? '';
  const click = (event: MouseEvent) => {
    // The browser handles clicks that open a new tab or window.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(finding, index);
  };
  return (
    <tr id={id} aria-rowindex={index + 2} aria-selected={isActive} className={styles.row}>
      {row === undefined ? (
        <td aria-colspan={columns} aria-busy="true" className={styles.loading}>
          <span className={styles.placeholder} />
        </td>
      ) : (
        row.getVisibleCells().map((cell) => (
          <td key={cell.id} className={styles.cell} data-column={cell.column.id}>
            {cell.column.id === TITLE_COLUMN ? (
              <a href={`${hrefBase}${finding}`} tabIndex={-1} className={styles.open} onClick={click}>
                <FlexRender cell={cell} />
              </a>
            ) : (
              <FlexRender cell={cell} />
            )}
          </td>
        ))
      )}
    </tr>
  );
});
