import { formatCount } from '../lib/format-number.ts';
import { Button } from './button.tsx';
import { ChevronLeft, ChevronRight } from './icons/lucide-icons.ts';
import styles from './pagination.module.css';

interface PaginationProps {
  readonly page: number;
  readonly pages: number;
  readonly count: number;
  /** The noun for the count, such as `uploads`. */
  readonly noun: string;
  readonly onPage: (page: number) => void;
}

export function Pagination({ page, pages, count, noun, onPage }: PaginationProps) {
  return (
    <nav className={styles.pagination} aria-label="Pagination">
      <span role="status">
        {formatCount(count)} {noun}
        {pages > 1 && `, page ${formatCount(page)} of ${formatCount(pages)}`}
      </span>
      {pages > 1 && (
        <span className={styles.buttons}>
          <Button icon={<ChevronLeft size={16} />} disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
            Next <ChevronRight size={16} />
          </Button>
        </span>
      )}
    </nav>
  );
}
