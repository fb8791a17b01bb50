import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { getDevToolsSkipReason } from '../../scripts/dev-tools.ts';
import { readExample, replaceOnce } from './support/examples.ts';
import { type GithubParser, loadGithubParser } from './support/github-parser.ts';

const action = await readExample('github/action.yml');
const workflow = await readExample('github/workflow.yml');

describe("GitHub's workflow parser", { skip: getDevToolsSkipReason() }, () => {
  let parser: GithubParser;
  before(async () => {
    parser = await loadGithubParser();
  });

  it("GitHub's parser accepts the example action", () => {
    assert.deepEqual(parser.actionErrors('action.yml', action), []);
  });

  it("GitHub's parser rejects the example action without a shell or with an unknown context", () => {
    assert.match(
      String(parser.actionErrors('action.yml', replaceOnce(action, 'shell: bash', 'name: x'))),
      /property is missing: shell/,
    );
    assert.match(
      String(parser.actionErrors('action.yml', replaceOnce(action, '{{ inputs.files', '{{ input.files'))),
      /Unrecognized named-value: 'input'/,
    );
  });

  it("GitHub's parser accepts the example workflow", () => {
    assert.deepEqual(parser.workflowErrors('workflow.yml', workflow), []);
  });

  it("GitHub's parser rejects the example workflow with a misspelled key or an unknown context", () => {
    const misspelled = replaceOnce(workflow, 'timeout-minutes', 'timeout-minute');
    assert.match(
      String(parser.workflowErrors('workflow.yml', misspelled)),
      /Unexpected value 'timeout-minute'/,
    );
    const unknown = replaceOnce(workflow, 'vars.SLUICE', 'var.SLUICE');
    assert.match(String(parser.workflowErrors('workflow.yml', unknown)), /Unrecognized named-value: 'var'/);
  });
});
