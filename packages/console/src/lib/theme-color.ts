/** What a custom property (`--line`) means at this element at this moment, as a colour that a canvas takes. */
export function resolveColor(element: Element, property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
