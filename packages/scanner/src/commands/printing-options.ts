import { Option } from 'commander';
import { LOG_LEVELS } from '../console/log.ts';

/** The printing and logging flags of all commands. */
export function printingOptions(): readonly Option[] {
  return [
    new Option('--no-color', 'do not use colors'),
    new Option('--log-level <level>', `log level: ${LOG_LEVELS.join(', ')}`)
      .env('LOG_LEVEL')
      .default('WARNING'),
    new Option('--log-file <file>', 'also append the log to this file as JSON lines'),
  ];
}
