import { availableParallelism } from 'node:os';

/**
 * The settings of the embedded PostgreSQL, given on its command line at every start, where they win over its
 * configuration files: a new version of Sluice brings its settings along. Values must not hold a single quote.
 */
export function serverSettings(port: number): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1', // reachable from this machine only
    port: String(port), // free at this start; others read it from postmaster.pid
    unix_socket_directories: '', // the path of a socket may not be longer than 107 bytes
    // Eight for each worker thread, of which there are as many as cores, and those of a few other processes.
    max_connections: String(Math.max(100, 8 * availableParallelism() + 60)),

    fsync: 'on', // what was acknowledged survives a power cut
    full_page_writes: 'on', // a page torn by a power cut can be repaired
    synchronous_commit: 'on', // a commit returns when it is on disk
    ...(process.platform === 'darwin' && { wal_sync_method: 'fsync_writethrough' }), // fsync stops at its drive cache

    shared_buffers: '256MB', // holds the hot indexes, fits a machine with 2 GB
    effective_cache_size: '1GB', // what such a machine caches: prefer index scans
    work_mem: '8MB', // a page of findings is sorted in memory; each connection may take it several times
    maintenance_work_mem: '128MB', // vacuum and index builds in few passes
    random_page_cost: '1.1', // the disk is an SSD
    max_parallel_workers_per_gather: '0', // the cores are for the workers of Sluice; and it needs /dev/shm,
    max_parallel_maintenance_workers: '0', // as this does, of which a container has 64 MB
    jit: 'off', // our queries are short, and the binaries come without LLVM

    max_wal_size: '2GB', // checkpoints by time, not in the middle of a large ingestion
    min_wal_size: '256MB', // use log files again instead of making new ones
    checkpoint_timeout: '10min', // every checkpoint makes the log carry whole pages again
    wal_compression: 'off', // this build has pglz only: measured, 11 % less log and inserts 40 % slower

    client_connection_check_interval: '5s', // the query and the locks of a killed worker go
    max_logical_replication_workers: '0', // nothing is replicated: one process less
    timezone: 'UTC', // a timestamp reads the same on every machine

    logging_collector: 'on', // rotates the log, also when Sluice does not run
    log_directory: '../log', // beside the data, see server-log.ts
    log_filename: 'server-%a.log', // one file for each day of the week,
    log_rotation_age: '1d', // changed every midnight
    log_rotation_size: '0', // and not by size, as the name would stay the same,
    log_truncate_on_rotation: 'on', // and emptied a week later: bounded growth
    log_timezone: 'UTC', // as in our own log
    log_line_prefix: '%m [%p] %d ', // time, process, database
    lc_messages: 'C', // does not depend on the locales of the machine
  };
}
