/** Orders objects by their ids. Rows that are locked in this order never cause a deadlock. */
export function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}
