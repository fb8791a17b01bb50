import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { environmentOf, readCronJob } from './support/cron-job.ts';
import { readYaml, replaceOnce } from './support/examples.ts';
import { validateManifests } from './support/kubernetes-types.ts';

const file = await readCronJob();
const { text, documents, cronJob, containers } = file;
const job = cronJob.spec.jobTemplate.spec;
const pod = job.template.spec;

describe('Kubernetes manifests', () => {
  it('manifests have only known fields of the correct types', async () => {
    assert.equal(documents.length, 4);
    assert.equal(await validateManifests(documents), '');
  });

  it('validation rejects a misspelled field and a string instead of an integer', async () => {
    const validate = (valid: string, invalid: string) =>
      validateManifests(readYaml(replaceOnce(text, valid, invalid)));
    assert.match(
      await validate('readOnlyRootFilesystem', 'readonlyRootFilesystem'),
      /readonlyRootFilesystem/,
    );
    assert.match(
      await validate('activeDeadlineSeconds: 7200', 'activeDeadlineSeconds: 2h'),
      /not assignable to type 'number'/,
    );
  });
});

describe('Kubernetes CronJob', () => {
  it('the CronJob runs one job at a time, with a deadline and limited retries', () => {
    assert.equal(cronJob.spec.concurrencyPolicy, 'Forbid');
    assert.ok(job.activeDeadlineSeconds > 3600, 'the job deadline must exceed the push timeout');
    assert.equal(job.backoffLimit, 3);
    assert.equal(pod.restartPolicy, 'OnFailure');
  });

  it('the CronJob meets the restricted Pod Security Standard and has a read-only root file system', () => {
    assert.equal(pod.automountServiceAccountToken, false);
    assert.equal(pod.securityContext.runAsNonRoot, true);
    assert.deepEqual(pod.securityContext.seccompProfile, { type: 'RuntimeDefault' });
    for (const { securityContext, resources } of containers) {
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.deepEqual(Object.keys(resources.limits), ['cpu', 'memory']);
    }
  });

  it('the CronJob mounts a writable folder for every output path in its arguments', () => {
    assert.deepEqual(
      pod.volumes.map(({ name }) => name),
      ['output', 'tmp'],
    );
    for (const { args, volumeMounts } of containers)
      for (const arg of args.filter((each) => each.startsWith('/')))
        assert.ok(
          volumeMounts.some(({ mountPath }) => arg.startsWith(mountPath)),
          arg,
        );
  });

  it('the CronJob passes each container only the secret it needs', () => {
    const [scan, push] = containers.map((container) => environmentOf(file, container));
    assert.deepEqual(scan, {
      DIRECTORY_ORG_DOMAIN: 'ConfigMap',
      DIRECTORY_CLIENT_ID: 'ConfigMap',
      DIRECTORY_PRIVATE_KEY: 'Secret',
    });
    assert.deepEqual(push, { SCANNER_CLOUD_API_BASE_URL: 'ConfigMap', SCANNER_CLOUD_API_KEY: 'Secret' });
  });

  it('the CronJob succeeds if the scan finds failed checks and fails if the push fails', () => {
    const [scan, push] = containers;
    assert.ok(scan?.args.includes('--ignore-exit-code-3'));
    assert.deepEqual(push?.args.slice(0, 2), ['push', '--wait']);
  });
});
