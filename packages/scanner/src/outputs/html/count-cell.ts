import { html, type Markup } from './markup.ts';

/** The values of the filters that a number stands for; a filter that is missing shows everything. */
export interface CountFilter {
  readonly status?: string;
  readonly severity?: string;
  readonly service?: string;
  /** The id of a section, or of a framework with all its sections. */
  readonly requirement?: string;
}

/** A cell with a number. The script makes it a button that filters the list; nothing can be shown for 0. */
export function countCell(count: number, filter: CountFilter): Markup {
  return count === 0
    ? html`<td class="zero">0</td>`
    : html`<td data-filter="${filterQuery(filter)}">${count}</td>`;
}

/** As the script reads it: `status=FAIL&service=signon`. */
export function filterQuery(filter: CountFilter): string {
  return new URLSearchParams({ ...filter }).toString();
}
