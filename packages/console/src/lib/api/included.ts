interface Resource {
  readonly type: string;
  readonly id: string;
}

/** Indexes the included resources of a type by ID (JSON:API 1.1, "Compound Documents"). */
export function indexIncluded<Item extends Resource, Type extends Item['type']>(
  included: readonly Item[] | undefined,
  type: Type,
): ReadonlyMap<string, Extract<Item, { readonly type: Type }>> {
  const isOfType = (resource: Item): resource is Extract<Item, { readonly type: Type }> =>
    resource.type === type;
  return new Map((included ?? []).filter(isOfType).map((resource) => [resource.id, resource]));
}
