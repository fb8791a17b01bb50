import type { TestContext } from 'node:test';
import type { ResourceKey, Snapshot } from '../../../src/directory/snapshot.ts';
import { connectTo, emulate } from './connect-to.ts';

/** Reads from an API that returns these response bodies. */
export async function readBodies<Key extends ResourceKey>(
  context: TestContext,
  key: Key,
  bodies: Readonly<Record<string, unknown>>,
): Promise<Snapshot[Key]> {
  const emulator = await emulate(context);
  const directory = await connectTo(emulator);
  for (const [start, body] of Object.entries(bodies))
    emulator.faults.push({ path: new RegExp(`^${start.replaceAll('?', '\\?')}`), response: 200, body });
  return (await directory.read([key]))[key];
}
