import { basename, dirname, join } from 'node:path';
import type { Finding, ScanInfo } from '../checks/finding.ts';
import type { ComplianceResult } from '../compliance/compliance-results.ts';
import { DIALECTS } from '../directory/dialect.ts';
import { ScannerError } from '../lib/errors.ts';
import { toComplianceCsv } from './compliance-csv.ts';
import { toCsv } from './csv.ts';
import { toHtml } from './html/html.ts';
import { toOcsf } from './ocsf.ts';
import { makeOutputFolder } from './output-folder.ts';
import { toSarif } from './sarif.ts';
import { writeAtomically } from './write-atomically.ts';

/** The values of `--output-formats`. */
export const OUTPUT_FORMATS = ['csv', 'json-ocsf', 'html', 'sarif', 'junit'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface WrittenFile {
  readonly format: OutputFormat | 'compliance';
  readonly path: string;
}

export interface OutputTarget {
  /** The output folder, which is created if it does not exist. */
  readonly directory: string;
  /** The file name without an extension. */
  readonly stem: string;
}

export interface OutputRequest extends OutputTarget {
  readonly formats: readonly OutputFormat[];
  readonly findings: readonly Finding[];
  readonly scan: ScanInfo;
  /** The compliance results. One CSV is written per framework. */
  readonly compliance?: readonly ComplianceResult[];
}

interface Writer {
  readonly extension: string;
  readonly toText: (
    findings: readonly Finding[],
    scan: ScanInfo,
    compliance: readonly ComplianceResult[],
  ) => string | Promise<string>;
}

const WRITERS: Readonly<Record<OutputFormat, Writer>> = {
  csv: { extension: 'csv', toText: toCsv },
  'json-ocsf': { extension: 'ocsf.json', toText: toOcsf },
  html: { extension: 'html', toText: toHtml },
  sarif: { extension: 'sarif', toText: toSarif },
  junit: {
    extension: 'junit.xml',
    // Loaded on demand, because its XML library takes a quarter of the start-up time of any command.
    toText: async (findings, scan) => (await import('./junit.ts')).toJunit(findings, scan),
  },
};

/**
 * Writes each format once and atomically, in the given order, and replaces existing files. Throws a ScannerError with
 * the code `output_unwritable`, or `output_name_invalid` if the stem is not a plain file name.
 */
export async function writeOutputs(request: OutputRequest): Promise<readonly WrittenFile[]> {
  const { formats, findings, directory, stem, scan, compliance = [] } = request;
  assertFileName(stem);
  const written: WrittenFile[] = [];
  const write = async (format: WrittenFile['format'], path: string, text: string) => {
    await makeOutputFolder(dirname(path));
    await writeAtomically(path, text);
    written.push({ format, path });
  };
  for (const format of new Set(formats)) {
    const text = await WRITERS[format].toText(findings, scan, compliance);
    await write(format, outputPath(request, format), text);
  }
  for (const result of compliance) {
    const name = result.framework.name(DIALECTS[scan.provider]).toLowerCase().replaceAll('-', '_');
    const path = join(directory, 'compliance', `${stem}_${name}.csv`);
    await write('compliance', path, toComplianceCsv(result, scan));
  }
  return written;
}

/** The path of a format's output file. */
export function outputPath({ directory, stem }: OutputTarget, format: OutputFormat): string {
  return join(directory, `${stem}.${WRITERS[format].extension}`);
}

/** The default file name: `sluice-output-<organization>-<YYYYMMDDHHMMSS>`. The time is in UTC. */
export function defaultStem({ orgDomain, startedAt }: Pick<ScanInfo, 'orgDomain' | 'startedAt'>): string {
  const time = startedAt.toISOString().slice(0, 19).replace(/\D/g, '');
  // Some systems do not allow colons, such as the one before a port, in file names.
  return `sluice-output-${orgDomain.replace(/[^\w.-]/g, '_')}-${time}`;
}

function assertFileName(stem: string): void {
  if (stem !== '' && stem === basename(stem) && !/[\\\0]/.test(stem)) return;
  throw new ScannerError(
    'output_name_invalid',
    `The output name '${stem}' is not a plain file name. Use -F for a name without folder or extension, and -o for the folder.`,
    { exitCode: 2 },
  );
}
