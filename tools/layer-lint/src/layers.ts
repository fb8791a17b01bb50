/** The layers of a package. A module may import its own layer and the layers before it. */
export interface Layers {
  /** The source folder, relative to the repository. */
  readonly root: string;
  /**
   * Folders and files of the source folder, lowest layer first. `.` stands for all other files of the source folder.
   */
  readonly order: readonly string[];
  /** Layers whose subfolders must not import each other. */
  readonly independent?: readonly string[];
}

/** The layers of all packages. ARCHITECTURE.md describes them. */
export const LAYERS: readonly Layers[] = [
  {
    root: 'packages/ocsf/src',
    order: ['load-wasm.ts', 'splitter', 'extract', 'detection-finding', 'conformance', '.'],
  },
  {
    root: 'packages/server/src',
    order: [
      'lib',
      'config',
      'jsonapi',
      'db',
      'blobs',
      'observability',
      'auth',
      'webhooks',
      'ingest',
      'retention',
      'backup',
      'http',
      'resources',
      'features',
      'process',
      'cli',
    ],
    independent: ['features'],
  },
  {
    root: 'packages/scanner/src',
    order: [
      'lib',
      'http',
      'terminal',
      'client',
      'push',
      'directory',
      'checks',
      'compliance',
      'config-file',
      'selection',
      'mutelist',
      'outputs',
      'completion',
      'cli',
    ],
  },
  {
    root: 'packages/console/src',
    order: ['lib', 'components', 'features', 'app', '.'],
    independent: ['features'],
  },
  {
    root: 'packages/directory-emulator/src',
    order: [
      'api-error.ts',
      'faults.ts',
      'request-log.ts',
      'organization',
      'authorization',
      'options.ts',
      'management',
      '.',
    ],
  },
  {
    root: 'tools/findings-generator/src',
    order: ['random.ts', 'resource-types', 'controls', 'providers', '.'],
  },
];
