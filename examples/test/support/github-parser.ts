import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { z } from 'zod';
import { DEV_TOOLS } from '../../../scripts/dev-tools.ts';
import { makeFolder } from './examples.ts';

type Faults = (name: string, content: string) => string[];
const parserSchema = z.object({
  actionFaults: z.custom<Faults>((value) => typeof value === 'function'),
  workflowFaults: z.custom<Faults>((value) => typeof value === 'function'),
});

export type GithubParser = z.output<typeof parserSchema>;

const SOURCE = `
  import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
  import { parseAction } from '@actions/workflow-parser/actions/action-parser';
  const faults = (parse) => (name, content) =>
    parse({ name, content }, new NoOperationTraceWriter()).context.errors.getErrors().map(String);
  export const actionFaults = faults(parseAction);
  export const workflowFaults = faults(parseWorkflow);
`;

/**
 * GitHub's own parser of workflows and of action.yml. It imports its schemas as JSON without the attribute that Node
 * wants, so it is bundled before it is loaded.
 */
export async function loadGithubParser(): Promise<GithubParser> {
  const { folder, remove } = await makeFolder();
  try {
    const outfile = path.join(folder, 'parser.mjs');
    await build({
      stdin: { contents: SOURCE, resolveDir: DEV_TOOLS },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      // `yaml` is CommonJS for Node, and a bundle of ES modules has no require of its own.
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
      logLevel: 'silent',
    });
    const loaded: unknown = await import(pathToFileURL(outfile).href);
    return parserSchema.parse({ ...z.looseObject({}).parse(loaded) });
  } finally {
    await remove();
  }
}
