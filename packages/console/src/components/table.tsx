import type { ReactNode } from 'react';
import { ArrowDown, ArrowUp, ArrowUpDown } from './icons/lucide-icons.ts';
import { Scrollable } from './scrollable.tsx';
import styles from './table.module.css';

/** A table that scrolls horizontally on narrow screens. */
export function Table({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Scrollable label={label} className={styles.scroll}>
      <table className={styles.table} aria-label={label}>
        {children}
      </table>
    </Scrollable>
  );
}

interface SortButtonProps {
  readonly children: ReactNode;
  /** The API's `sort` key. */
  readonly name: string;
  /** The current order: `name`, or `-name` for descending. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** The `aria-sort` value of a column header. */
export function sortDirection(name: string, sort: string): 'ascending' | 'descending' | 'none' {
  return sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none';
}

/** Sorts a list by a column: first in descending order, then in ascending order. */
export function SortButton({ children, name, sort, onSort }: SortButtonProps) {
  const direction = sortDirection(name, sort);
  const Icon = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown }[direction];
  return (
    <button
      type="button"
      className={styles.sort}
      onClick={() => onSort(direction === 'descending' ? name : `-${name}`)}
    >
      {children}
      <Icon size={14} aria-hidden="true" className={direction === 'none' ? styles.unsorted : undefined} />
    </button>
  );
}

/** A sortable column header. */
export function SortHeader({ numeric = false, ...rest }: SortButtonProps & { readonly numeric?: boolean }) {
  return (
    <th
      scope="col"
      aria-sort={sortDirection(rest.name, rest.sort)}
      className={numeric ? styles.numeric : undefined}
    >
      <SortButton {...rest} />
    </th>
  );
}

/** The class name of a numeric cell. */
export const numeric = styles.numeric;
/** The class name of a row that is one large link. The link itself has the class `rowLink`. */
export const linkedRow = styles.linkedRow;
export const rowLink = styles.rowLink;
/** The class name of any other link or button in such a row. */
export const rowControl = styles.rowControl;
