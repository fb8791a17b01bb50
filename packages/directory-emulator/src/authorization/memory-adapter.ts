import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Keeps what the authorization server has to remember, which is the assertions and proofs that were used. */
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
    // Of grants with users, which the emulator does not have.
    findByUserCode: nothing,
    findByUid: nothing,
    consume: nothing,
    revokeByGrantId: nothing,
  });
}
