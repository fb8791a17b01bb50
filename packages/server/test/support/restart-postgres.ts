import assert from 'node:assert/strict';
import { locateCluster } from '../../src/db/embedded/cluster.ts';
import { runCommand } from '../../src/db/embedded/run-command.ts';
import { findServerBinaries } from '../../src/db/embedded/server-binaries.ts';
import { chooseServerUser } from '../../src/db/embedded/server-user.ts';
import type { Service } from './service.ts';

/** Starts the stopped PostgreSQL of a service with its previous options, including the port. */
export async function startPostgresAgain({ dataDir }: Pick<Service, 'dataDir'>): Promise<void> {
  const { folder, dataFolder, startLog } = await locateCluster(dataDir);
  const [{ pgCtl }, user] = [await findServerBinaries(), await chooseServerUser(folder)];
  // Unlike `start`, `restart` reuses the options of the last start.
  const args = ['restart', '--wait', `--log=${startLog}`, `--pgdata=${dataFolder}`];
  const { exitCode, output } = await runCommand(pgCtl, args, user);
  assert.equal(exitCode, 0, output);
}
