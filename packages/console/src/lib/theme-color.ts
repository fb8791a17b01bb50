/** Resolves a custom property such as `--line` at this element to a color value that a canvas accepts. */
export function resolveColor(element: Element, property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
