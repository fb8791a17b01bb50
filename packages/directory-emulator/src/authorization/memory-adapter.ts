import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Stores the used assertions and proofs of the authorization server in memory. */
export function memoryAdapter(): (model: string) => Adapter {
  const entries = new Map<string, AdapterPayload>();
  const nothing = async (): Promise<void> => {};
  return (model) => ({
    upsert: async (id, payload) => {
      entries.set(`${model} ${id}`, payload);
    },
    find: async (id) => entries.get(`${model} ${id}`),
    destroy: async (id) => {
      entries.delete(`${model} ${id}`);
    },
    // Required for grants with users, which the emulator does not support.
    findByUserCode: nothing,
    findByUid: nothing,
    consume: nothing,
    revokeByGrantId: nothing,
  });
}
