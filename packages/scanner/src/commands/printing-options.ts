import { Option } from 'commander';
import { LOG_LEVELS } from '../console/log.ts';

/** How every command prints and logs. */
export function printingOptions(): readonly Option[] {
  return [
    new Option('--no-color', 'no colors'),
    new Option('--log-level <level>', `how much is logged on stderr: ${LOG_LEVELS.join(', ')}`)
      .env('LOG_LEVEL')
      .default('WARNING'),
    new Option('--log-file <file>', 'append the log to this file, too, as JSON lines'),
  ];
}
