import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { whyNoDevTools } from '../../scripts/dev-tools.ts';
import { broken, readExample } from './support/examples.ts';
import { type GithubParser, loadGithubParser } from './support/github-parser.ts';

const action = await readExample('github/action.yml');
const workflow = await readExample('github/workflow.yml');

describe("GitHub's parser", { skip: whyNoDevTools() }, () => {
  let parser: GithubParser;
  before(async () => {
    parser = await loadGithubParser();
  });

  it('accepts the GitHub action', () => {
    assert.deepEqual(parser.actionFaults('action.yml', action), []);
  });

  it('rejects the action without a shell or with an unknown context', () => {
    assert.match(
      String(parser.actionFaults('action.yml', broken(action, 'shell: bash', 'name: x'))),
      /property is missing: shell/,
    );
    assert.match(
      String(parser.actionFaults('action.yml', broken(action, '{{ inputs.files', '{{ input.files'))),
      /Unrecognized named-value: 'input'/,
    );
  });

  it('accepts the GitHub workflow', () => {
    assert.deepEqual(parser.workflowFaults('workflow.yml', workflow), []);
  });

  it('rejects the workflow with a misspelled key or an unknown context', () => {
    const misspelled = broken(workflow, 'timeout-minutes', 'timeout-minute');
    assert.match(
      String(parser.workflowFaults('workflow.yml', misspelled)),
      /Unexpected value 'timeout-minute'/,
    );
    const unknown = broken(workflow, 'vars.SLUICE', 'var.SLUICE');
    assert.match(String(parser.workflowFaults('workflow.yml', unknown)), /Unrecognized named-value: 'var'/);
  });
});
