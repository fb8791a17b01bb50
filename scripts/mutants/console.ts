import { defineMutants, type Mutant } from './define-mutants.ts';

const consolePackage = defineMutants('packages/console');

export const CONSOLE_MUTANTS: readonly Mutant[] = [
  consolePackage(
    'formulas in an export are not escaped',
    'lib/csv.ts',
    `value.replaceAll(FORMULA, "$1'$2")`,
    'value',
    'ingestions-errors',
  ),
  consolePackage(
    'links with any scheme are rendered',
    'features/findings/components/safe-url.ts',
    'SCHEMES.includes(parsed.protocol)',
    "parsed.protocol !== ''",
    'findings-details',
  ),
  consolePackage(
    'a rejected upload is retried',
    'features/uploads/queue/upload-queue.ts',
    '!state.error.isTransient ||',
    '',
    'uploads',
    'uploads-faults',
  ),
  consolePackage(
    'an empty file is uploaded',
    'features/uploads/queue/check-file.ts',
    'if (file.size === 0)',
    'if (file.size < 0)',
    'uploads',
  ),
];
