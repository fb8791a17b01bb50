import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import type { Read } from '../read.ts';
import { id } from './fields.ts';
import { mapRead } from './order.ts';

/** A role that names neither is an unknown one, and an unknown role may be any. */
const roleSchema = z
  .object({ type: z.string().min(1).optional().catch(undefined), label: z.string().min(1).optional() })
  .transform(({ type, label }) => type ?? label)
  .pipe(z.string());
const groupSchema = z.object({ id });

/** Admin roles of the users who own API tokens: an owner of many tokens, and a group of many owners, are read once. */
export class OwnerRoles {
  readonly #api: ManagementApi;
  readonly #direct = new Map<string, Promise<Read<readonly string[]>>>();
  readonly #inherited = new Map<string, Promise<readonly Read<readonly string[]>[]>>();
  readonly #ofGroup = new Map<string, Promise<Read<readonly string[]>>>();

  constructor(api: ManagementApi) {
    this.#api = api;
  }

  /** Given to the user itself. */
  direct(userId: string): Promise<Read<readonly string[]>> {
    return remember(this.#direct, userId, () =>
      this.#roles(`/api/v1/users/${encodeURIComponent(userId)}/roles`),
    );
  }

  /** Of each group that the user is in, so that a fault in one does not hide what another shows. */
  inherited(userId: string): Promise<readonly Read<readonly string[]>[]> {
    return remember(this.#inherited, userId, () => this.#readInherited(userId));
  }

  async #readInherited(userId: string): Promise<readonly Read<readonly string[]>[]> {
    const withoutScope = this.#api.missingScope('roles', `GET /api/v1/groups/{id}/roles`);
    if (withoutScope !== undefined) return [withoutScope];
    const groups = await this.#api.list({
      path: `/api/v1/users/${encodeURIComponent(userId)}/groups`,
      scope: 'groups',
      whole: false,
      schema: groupSchema,
    });
    if (groups.kind === 'unread') return [groups];
    const ids = [...new Set(groups.value.map((group) => group.id))];
    return await Promise.all(ids.map((groupId) => this.#rolesOfGroup(groupId)));
  }

  #rolesOfGroup(groupId: string): Promise<Read<readonly string[]>> {
    return remember(this.#ofGroup, groupId, () =>
      this.#roles(`/api/v1/groups/${encodeURIComponent(groupId)}/roles`),
    );
  }

  async #roles(path: string): Promise<Read<readonly string[]>> {
    const roles = await this.#api.list({ path, scope: 'roles', whole: false, schema: roleSchema });
    return mapRead(roles, (types) => [...new Set(types)]);
  }
}

function remember<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}
