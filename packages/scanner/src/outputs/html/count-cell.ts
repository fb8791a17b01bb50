import { html, type Markup } from './markup.ts';

/** The filters that show the counted findings; a missing filter shows everything. */
export interface CountFilter {
  readonly status?: string;
  readonly severity?: string;
  readonly service?: string;
  /** The ID of a section, or of a framework with all its sections. */
  readonly requirement?: string;
}

/** A table cell with a count. The script turns it into a button that filters the list, unless the count is 0. */
export function countCell(count: number, filter: CountFilter): Markup {
  return count === 0
    ? html`<td class="zero">0</td>`
    : html`<td data-filter="${filterQuery(filter)}">${count}</td>`;
}

/** The filter in the format that the script reads, such as `status=FAIL&service=signon`. */
export function filterQuery(filter: CountFilter): string {
  return new URLSearchParams({ ...filter }).toString();
}
