import { Popover } from '@base-ui/react/popover';
import { Button, buttonClass } from '../../../components/button.tsx';
import { DateRange } from '../../../components/date-range.tsx';
import { ChevronDown } from '../../../components/icons/lucide-icons.ts';
import { menuPositioner, menuSelectedCount } from '../../../components/menu.ts';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import type { FilterName } from '../api/filters.ts';
import styles from './dates-filter.module.css';
import type { FindingSearch } from './use-finding-search.ts';

const RANGES = [
  { title: 'Last seen', from: 'seen_from', to: 'seen_to' },
  { title: 'First seen', from: 'first_from', to: 'first_to' },
  { title: 'Status changed', from: 'changed_from', to: 'changed_to' },
] as const;
const NAMES: readonly FilterName[] = RANGES.flatMap(({ from, to }) => [from, to]);

/** Date ranges in UTC, both ends inclusive, as in the API. */
export function DatesFilter({ search }: { readonly search: FindingSearch }) {
  const selectedCount = NAMES.filter((name) => search.filters[name] !== undefined).length;
  const set = (name: FilterName) => (day: string) =>
    search.setFilters({ [name]: day === '' ? [] : [day] }, { replace: true });
  return (
    <Popover.Root>
      <Popover.Trigger className={buttonClass()}>
        Dates
        {selectedCount > 0 && (
          <span className={menuSelectedCount}>
            {selectedCount}
            <VisuallyHidden> selected</VisuallyHidden>
          </span>
        )}
        <ChevronDown size={14} aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align="start" className={menuPositioner}>
          <Popover.Popup className={styles.popup} aria-label="Dates">
            {RANGES.map(({ title, from, to }) => (
              <DateRange
                key={title}
                label={title}
                from={search.filters[from]?.[0]}
                to={search.filters[to]?.[0]}
                onFrom={set(from)}
                onTo={set(to)}
              />
            ))}
            <div className={styles.footer}>
              <span>Dates are in UTC.</span>
              <Button
                disabled={selectedCount === 0}
                onClick={() => search.setFilters(Object.fromEntries(NAMES.map((name) => [name, []])))}
              >
                Clear dates
              </Button>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
