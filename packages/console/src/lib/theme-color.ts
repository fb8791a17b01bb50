/** Resolves a custom property of this element, such as `--line`, to a color value that a canvas accepts. */
export function resolveColor(element: Element, property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
