import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Service } from '../../packages/server/test/support/service.ts';

/**
 * Has PostgreSQL and the system write to the disk what they have in memory: files, and what was measured before, go there
 * now and not meanwhile.
 */
export async function settleDisk(service: Pick<Service, 'sql'>): Promise<void> {
  await service.sql('checkpoint');
  await promisify(execFile)('sync');
}
