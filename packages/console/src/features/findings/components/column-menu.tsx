import { FilterMenu } from '../../../components/filter-menu.tsx';
import { getColumnDefinition, OPTIONAL_COLUMNS } from './columns.tsx';

interface ColumnMenuProps {
  readonly hidden: readonly string[];
  readonly onHide: (hidden: readonly string[]) => void;
}

/** A menu for showing and hiding columns. */
export function ColumnMenu({ hidden, onHide }: ColumnMenuProps) {
  return (
    <FilterMenu
      label="Columns"
      options={OPTIONAL_COLUMNS.map((id) => ({ value: id, label: getColumnDefinition(id).label }))}
      values={OPTIONAL_COLUMNS.filter((id) => !hidden.includes(id))}
      onChange={(shown) => onHide(OPTIONAL_COLUMNS.filter((id) => !shown.includes(id)))}
    />
  );
}
