import { Menu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { formatCount } from '../lib/format-number.ts';
import { buttonClass } from './button.tsx';
import { Check, ChevronDown } from './icons/lucide-icons.ts';
import styles from './menu.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

export interface FilterOption<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  /** The number of matching items. */
  readonly count?: number;
}

interface FilterMenuProps<Value extends string> {
  readonly label: string;
  /** `undefined` while loading. */
  readonly options: readonly FilterOption<Value>[] | undefined;
  readonly values: readonly Value[];
  /** Shown next to the label if it is not 0. Default: the number of values. */
  readonly selectedCount?: number;
  readonly onChange: (values: readonly Value[]) => void;
  /** Use this to load the options when the menu opens. */
  readonly onOpenChange?: (open: boolean) => void;
}

/** A multi-select filter that stays open while values are selected. */
export function FilterMenu<Value extends string>({
  label,
  options,
  values,
  selectedCount = values.length,
  onChange,
  onOpenChange,
}: FilterMenuProps<Value>) {
  const toggle = (value: Value, on: boolean) =>
    onChange(
      options?.map((each) => each.value).filter((each) => (each === value ? on : values.includes(each))) ??
        values,
    );
  return (
    <Menu.Root {...(onOpenChange !== undefined && { onOpenChange })}>
      <Menu.Trigger className={buttonClass()}>
        {label}
        {selectedCount > 0 && (
          <span className={styles.selectedCount}>
            {selectedCount}
            <VisuallyHidden> selected</VisuallyHidden>
          </span>
        )}
        <ChevronDown size={14} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start" className={styles.positioner}>
          <Menu.Popup className={styles.popup} aria-label={label}>
            {options === undefined && (
              <div className={styles.none} role="status">
                Loading…
              </div>
            )}
            {options?.length === 0 && <div className={styles.none}>No options</div>}
            {options?.map(({ value, label, count }) => (
              <Menu.CheckboxItem
                key={value}
                checked={values.includes(value)}
                onCheckedChange={(on) => toggle(value, on)}
                closeOnClick={false}
                className={styles.item}
              >
                <span className={styles.box}>
                  <Menu.CheckboxItemIndicator>
                    <Check size={14} aria-hidden="true" />
                  </Menu.CheckboxItemIndicator>
                </span>
                <span className={styles.label}>{label}</span>
                {count !== undefined && <span className={styles.count}>{formatCount(count)}</span>}
              </Menu.CheckboxItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
