import { DATABASE_SETTINGS } from '../config/config.ts';
import { fileVariable, SECRETS } from '../config/environment.ts';
import { helpOf, type SettingShape } from '../config/setting.ts';

type Row = readonly [name: string, description: string];

/** The help section about the settings that a command reads. */
export function settingsHelp(settings: SettingShape = DATABASE_SETTINGS): string {
  const rows = Object.entries(settings).flatMap(([name, schema]): Row[] => {
    const { description, default: fallback } = helpOf(schema);
    const row: Row = [name, fallback === undefined ? description : `${description} (default: ${fallback})`];
    const secret = SECRETS.find((each) => each === name);
    return secret === undefined ? [row] : [row, [fileVariable(secret), `File that contains ${secret}`]];
  });
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, description]) => `  ${name.padEnd(width)}  ${description}`);
  return ['', 'Settings (environment variables):', ...lines].join('\n');
}
