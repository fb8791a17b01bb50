interface Resource {
  readonly type: string;
  readonly id: string;
}

/** The resources of a type that came along (JSON:API 1.1, "Compound Documents"), by their ids. */
export function indexIncluded<Item extends Resource, Type extends Item['type']>(
  included: readonly Item[] | undefined,
  type: Type,
): ReadonlyMap<string, Extract<Item, { readonly type: Type }>> {
  const isOfType = (resource: Item): resource is Extract<Item, { readonly type: Type }> =>
    resource.type === type;
  return new Map((included ?? []).filter(isOfType).map((resource) => [resource.id, resource]));
}
