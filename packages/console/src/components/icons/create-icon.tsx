import { type ComponentProps, createElement } from 'react';

/** The child elements of the icon's `svg`, with a 24 by 24 view box. */
type IconElements = readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];

export interface IconProps extends ComponentProps<'svg'> {
  /** Width and height in pixels. */
  readonly size?: number;
}

/** Creates an icon component. Icons are decorative: the adjacent text or label carries the meaning. */
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
