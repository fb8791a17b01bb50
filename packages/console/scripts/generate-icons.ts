// Writes src/components/icons/lucide-icons.ts and the icon license.
import { writeFile } from 'node:fs/promises';
import { installDevTools } from '../../../scripts/dev-tools.ts';
import { lucideIcons, lucideLicense } from './lucide-icons.ts';

const reason = installDevTools();
if (reason !== undefined) throw new Error(reason);
await writeFile(new URL('../src/components/icons/lucide-icons.ts', import.meta.url), await lucideIcons());
await writeFile(new URL('../public/lucide-license.txt', import.meta.url), await lucideLicense());
