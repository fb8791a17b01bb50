import { availableParallelism, totalmem } from 'node:os';

/**
 * The settings of the embedded PostgreSQL, passed on its command line at every start. They override its configuration
 * files, so that a new version of Sluice applies its own settings. Values must not contain single quotes.
 */
export function serverSettings(port: number): Record<string, string> {
  const memory = memoryMiB();
  return {
    listen_addresses: '127.0.0.1', // reachable from this machine only
    port: String(port), // a free port, chosen at each start; other processes read it from postmaster.pid
    unix_socket_directories: '', // no socket, because its path could exceed the limit of 107 bytes
    // Eight per worker thread, with one thread per core, and some for other processes.
    max_connections: String(Math.max(100, 8 * availableParallelism() + 60)),

    fsync: 'on', // acknowledged data survives a power failure
    full_page_writes: 'on', // pages torn by a power failure can be repaired
    synchronous_commit: 'on', // a commit returns when it is on disk
    ...(process.platform === 'darwin' && { wal_sync_method: 'fsync_writethrough' }), // plain fsync does not flush the drive's cache

    shared_buffers: `${Math.min(Math.max(256, Math.floor(memory / 8)), 4096)}MB`, // an eighth of the memory; 256 MB holds the hot indexes
    effective_cache_size: `${Math.max(1024, Math.floor(memory / 2))}MB`, // with the file-system cache; favors index scans
    work_mem: '8MB', // sorts a page of findings in memory; a connection may use several times as much
    maintenance_work_mem: '128MB', // enables vacuum and index builds in few passes
    random_page_cost: '1.1', // assumes an SSD
    max_parallel_workers_per_gather: '0', // the cores are used by Sluice's workers, and parallel query needs /dev/shm,
    max_parallel_maintenance_workers: '0', // which is limited to 64 MB in a container
    jit: 'off', // queries are short, and the binaries come without LLVM

    max_wal_size: '2GB', // large enough that checkpoints are timed, not triggered during a large ingestion
    min_wal_size: '256MB', // recycles WAL files instead of creating new ones
    checkpoint_timeout: '10min', // after each checkpoint, whole pages are written to the WAL again
    wal_compression: 'off', // this build only supports pglz: 11% less WAL, but inserts are 40% slower

    client_connection_check_interval: '5s', // cancels the query of a killed worker and releases its locks
    max_logical_replication_workers: '0', // no replication: one fewer process
    timezone: 'UTC', // timestamps are the same on every machine

    logging_collector: 'on', // rotates the log even when Sluice is not running
    log_directory: '../log', // next to the data, see `pruneServerLog`
    log_filename: 'server-%a.log', // one file per weekday
    log_rotation_age: '1d', // rotated at midnight
    log_rotation_size: '0', // not by size, because the file name would not change
    log_truncate_on_rotation: 'on', // overwritten after a week, so the log cannot grow without limit
    log_timezone: 'UTC', // as in Sluice's own log
    log_line_prefix: '%m [%p] %d ', // time, process, database
    lc_messages: 'C', // independent of the machine's locale
  };
}

/** The memory of this machine or container in MiB. */
function memoryMiB(): number {
  // Without a limit, this is 0 or more than the machine has.
  const limit = process.constrainedMemory();
  return Math.floor((limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / 2 ** 20);
}
