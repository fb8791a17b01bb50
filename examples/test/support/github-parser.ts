import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { z } from 'zod';
import { DEV_TOOLS } from '../../../scripts/dev-tools.ts';
import { createTemporaryFolder } from './examples.ts';

type Validate = (name: string, content: string) => string[];
const parserSchema = z.object({
  actionErrors: z.custom<Validate>((value) => typeof value === 'function'),
  workflowErrors: z.custom<Validate>((value) => typeof value === 'function'),
});

export type GithubParser = z.output<typeof parserSchema>;

const SOURCE = `
  import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
  import { parseAction } from '@actions/workflow-parser/actions/action-parser';
  const validator = (parse) => (name, content) =>
    parse({ name, content }, new NoOperationTraceWriter()).context.errors.getErrors().map(String);
  export const actionErrors = validator(parseAction);
  export const workflowErrors = validator(parseWorkflow);
`;

/**
 * Loads GitHub's own parser for workflows and action.yml. It imports JSON schemas without the import attribute that Node
 * requires, so it is bundled first.
 */
export async function loadGithubParser(): Promise<GithubParser> {
  const { folder, remove } = await createTemporaryFolder();
  try {
    const outfile = path.join(folder, 'parser.mjs');
    await build({
      stdin: { contents: SOURCE, resolveDir: DEV_TOOLS },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      // `yaml` is a CommonJS module, and ES modules do not define require().
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
