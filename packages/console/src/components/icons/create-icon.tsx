import { type ComponentProps, createElement } from 'react';

/** The elements inside of an icon's `svg`, drawn in 24 by 24 units. */
type IconElements = readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];

export interface IconProps extends ComponentProps<'svg'> {
  /** In pixels, for width and height. */
  readonly size?: number;
}

/** Makes a component of an icon. Icons are decorative: the text or label beside one has its meaning. */
export function createIcon(elements: IconElements) {
  return function Icon({ size = 24, color = 'currentColor', ...attributes }: IconProps) {
    return (
      <svg
        xmlns="http://www.w3.org/2000/svg"
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke={color}
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        {...attributes}
      >
        {elements.map(([tag, shape], index) => createElement(tag, { key: index, ...shape }))}
      </svg>
    );
  };
}
