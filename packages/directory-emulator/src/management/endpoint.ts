import type { AdminRole, DialectName, ScopeResource } from '../options.ts';
import type { Organization } from '../organization/organization.ts';
import { cutPage, repeatedCursor } from './paging.ts';

/** One request, as an endpoint sees it: whoever asks has been let in. */
export interface Reading {
  readonly organization: Organization;
  readonly dialect: DialectName;
  /** Origin of the emulator. */
  readonly url: string;
  readonly role: Exclude<AdminRole, 'none'>;
  /** What the path names; empty where it names nothing. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly pageSize: number;
  /** A fault is asked for: the next page is always the same. */
  readonly repeatCursor: boolean;
}

export interface EndpointResponse {
  readonly body: unknown;
  /** Cursor of the next page; `null`: there is none. Only lists have pages. */
  readonly next?: string | null;
}

export interface Endpoint extends OktaDifferences {
  /** As the router writes it: `/api/v1/policies/:id/rules`. */
  readonly path: string;
  readonly scope: ScopeResource;
  respond(reading: Reading): EndpointResponse;
}

/** How an endpoint differs in the dialect `okta`. */
export interface OktaDifferences {
  /** The scope that it requires there. */
  readonly oktaScope?: ScopeResource;
  /** Exists only there. */
  readonly onlyInOkta?: boolean;
  /** There the list is not paged: it has no `Link` headers, and `limit` and `after` have no effect. */
  readonly unpagedInOkta?: boolean;
}

/** An endpoint that returns one object. */
export function single(
  path: string,
  scope: ScopeResource,
  item: (reading: Reading) => object | null,
): Endpoint {
  return { path, scope, respond: (reading) => ({ body: item(reading) }) };
}

/** An endpoint that returns a list, in pages. */
export function list<Item extends { readonly id: string }>(
  path: string,
  scope: ScopeResource,
  items: (reading: Reading) => readonly Item[],
  show: (item: Item, reading: Reading) => object = (item) => item,
  differences: OktaDifferences = {},
): Endpoint {
  return {
    path,
    scope,
    ...differences,
    respond: (reading) => {
      if (reading.dialect === 'okta' && differences.unpagedInOkta === true)
        return { body: items(reading).map((item) => show(item, reading)) };
      const page = cutPage(items(reading), reading);
      return {
        body: page.items.map((item) => show(item, reading)),
        next: reading.repeatCursor ? repeatedCursor(page.items, reading.query) : page.next,
      };
    },
  };
}

/** Finds the object that the path names. */
export function named<Item extends { readonly id: string }>(
  items: readonly Item[],
  reading: Reading,
): Item | undefined {
  return items.find(({ id }) => id === reading.id);
}
