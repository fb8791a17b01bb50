import type { Plugin } from 'vite';
import { PAGES } from '../src/app/pages.ts';

/** Writes `pages.json`, which lists the paths for which the server returns the console. */
export function pageList(): Plugin {
  return {
    name: 'page-list',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(PAGES) });
    },
  };
}
