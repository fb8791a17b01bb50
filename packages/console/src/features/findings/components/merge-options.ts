import type { FilterOption } from '../../../components/filter-menu.tsx';

/** One option for each value, with its counts summed up. What is chosen stays to be seen, also where nothing has it now. */
export function mergeOptions(
  counted: readonly FilterOption<string>[],
  chosen: readonly string[],
): readonly FilterOption<string>[] {
  const options = new Map<string, FilterOption<string>>();
  for (const option of counted) {
    const before = options.get(option.value)?.count ?? 0;
    options.set(option.value, { ...option, count: before + (option.count ?? 0) });
  }
  for (const value of chosen) if (!options.has(value)) options.set(value, { value, label: value, count: 0 });
  return [...options.values()];
}
