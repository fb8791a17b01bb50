import type { FilterOption } from '../../../components/filter-menu.tsx';

/** Merges options with equal values by adding their counts. Selected values are kept even if no findings match them. */
export function mergeOptions(
  counted: readonly FilterOption<string>[],
  selected: readonly string[],
): readonly FilterOption<string>[] {
  const options = new Map<string, FilterOption<string>>();
  for (const option of counted) {
    const previous = options.get(option.value)?.count ?? 0;
    options.set(option.value, { ...option, count: previous + (option.count ?? 0) });
  }
  for (const value of selected)
    if (!options.has(value)) options.set(value, { value, label: value, count: 0 });
  return [...options.values()];
}
