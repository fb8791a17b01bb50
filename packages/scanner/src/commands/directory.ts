import { checksForDialect } from '../checks/dialect-checks.ts';
import { checkIdForDialect } from '../checks/dialect-names.ts';
import { reportedFrameworks } from '../compliance/all-frameworks.ts';
import { defaultConfig, readConfigFile } from '../config-file/read-config-file.ts';
import { shouldUseColors } from '../console/colors.ts';
import { createLog } from '../console/log.ts';
import { readMutelist } from '../mutelist/read-mutelist.ts';
import { readChecksFile } from '../selection/checks-file.ts';
import { type Selection, selectChecks } from '../selection/select-checks.ts';
import { readDirectoryFlags } from './directory-flags.ts';
import { printLists } from './print-lists.ts';
import type { ProgramContext } from './program-context.ts';

/**
 * Runs `scanner directory`, which prints a list or scans an organization. Resolves with the exit code 0 or 3, or throws
 * a ScannerError. All files that the command line names are read before the first request.
 */
export async function runDirectory(parsed: unknown, context: ProgramContext): Promise<number> {
  const { env, stdout, screen, version } = context;
  const flags = readDirectoryFlags(parsed, env);
  const { dialect } = flags;
  const log = createLog(screen, flags.logLevel, flags.logFile);
  const config =
    flags.configFile === undefined ? defaultConfig() : await readConfigFile(flags.configFile, dialect, log);
  const allChecks = checksForDialect(dialect);
  const ids = allChecks.map(({ id }) => id);
  const mutelist =
    flags.mutelistFile === undefined ? undefined : await readMutelist(flags.mutelistFile, ids, log);
  const idsOf = (words: readonly string[]) => words.map((word) => checkIdForDialect(dialect, word));
  const selection: Selection = {
    checks: idsOf(flags.checks),
    checksOfFile:
      flags.checksFile === undefined ? undefined : idsOf(await readChecksFile(flags.checksFile, dialect)),
    services: flags.services,
    severities: flags.severity,
    categories: flags.categories,
    compliance: flags.compliance,
    excludedChecks: idsOf([...flags.excludedChecks, ...config.excludedChecks]),
    excludedServices: [...flags.excludedServices, ...config.excludedServices],
  };
  const checks = selectChecks(allChecks, selection, dialect);
  if (printLists(flags, checks, screen)) return 0;

  // Loaded on demand, because these modules account for half of the startup time and are not needed to print a list.
  const { scan } = await import('./scan.ts');
  const colors = shouldUseColors(stdout, flags.color, env);
  const frameworks = reportedFrameworks(flags.compliance, checks, allChecks, dialect);
  return await scan({ flags, checks, frameworks, config, mutelist, version, env, screen, colors, log });
}
