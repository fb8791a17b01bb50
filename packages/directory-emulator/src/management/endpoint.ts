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

export interface Answer {
  readonly body: unknown;
  /** Cursor of the next page; `null`: there is none. Only lists have pages. */
  readonly next?: string | null;
}

export type EndpointScope = ScopeResource | Readonly<Record<DialectName, ScopeResource>>;

export interface Endpoint {
  /** As the router writes it: `/api/v1/policies/:id/rules`. */
  readonly path: string;
  /** May depend on the dialect. */
  readonly scope: EndpointScope;
  answer(reading: Reading): Answer;
}

/** An endpoint that answers one object. */
export function single(
  path: string,
  scope: ScopeResource,
  item: (reading: Reading) => object | null,
): Endpoint {
  return { path, scope, answer: (reading) => ({ body: item(reading) }) };
}

/** An endpoint that answers a list, in pages. */
export function list<Item extends { readonly id: string }>(
  path: string,
  scope: EndpointScope,
  items: (reading: Reading) => readonly Item[],
  show: (item: Item, reading: Reading) => object = (item) => item,
): Endpoint {
  return {
    path,
    scope,
    answer: (reading) => {
      const page = cutPage(items(reading), reading.query, reading.pageSize);
      return {
        body: page.items.map((item) => show(item, reading)),
        next: reading.repeatCursor ? repeatedCursor(page.items, reading.query) : page.next,
      };
    },
  };
}

/** The scope that opens an endpoint in a dialect. */
export function scopeOf({ scope }: Endpoint, dialect: DialectName): ScopeResource {
  return typeof scope === 'string' ? scope : scope[dialect];
}

/** Finds the object that the path names. */
export function named<Item extends { readonly id: string }>(
  items: readonly Item[],
  reading: Reading,
): Item | undefined {
  return items.find(({ id }) => id === reading.id);
}
