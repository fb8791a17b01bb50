import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './table.module.css';

/** A table of a page of a list. On a narrow screen it is moved sideways by itself, not with the page. */
export function Table({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be moved sideways has to be so by keyboard (WCAG 2.1.1)
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table} aria-label={label}>
        {children}
      </table>
    </section>
  );
}

interface SortHeaderProps {
  readonly children: ReactNode;
  /** The key of the API's `sort`. */
  readonly name: string;
  /** The order in force: `name` or `-name`. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly numeric?: boolean;
}

/** The head of a column by which the list can be sorted: first descending, then ascending. */
export function SortHeader({ children, name, sort, onSort, numeric = false }: SortHeaderProps) {
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none';
  const Icon = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown }[direction];
  return (
    <th scope="col" aria-sort={direction} className={numeric ? styles.numeric : undefined}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort(direction === 'descending' ? name : `-${name}`)}
      >
        {children}
        <Icon size={14} aria-hidden="true" className={direction === 'none' ? styles.unsorted : undefined} />
      </button>
    </th>
  );
}

/** The class of a cell of numbers. */
export const numeric = styles.numeric;
/** The class of a row that a link in it covers as a whole; the link has the class `rowLink`. */
export const linkedRow = styles.linkedRow;
export const rowLink = styles.rowLink;
/** The class of another link or button in such a row. */
export const rowControl = styles.rowControl;
