import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { environmentOf, readCronJob } from './support/cron-job.ts';
import { broken, readYaml } from './support/examples.ts';
import { kubernetesFaults } from './support/kubernetes-types.ts';

const file = await readCronJob();
const { text, documents, cronJob, containers } = file;
const job = cronJob.spec.jobTemplate.spec;
const pod = job.template.spec;

describe('the Kubernetes manifests', () => {
  it('have only fields and types that Kubernetes knows', async () => {
    assert.equal(documents.length, 4);
    assert.equal(await kubernetesFaults(documents), '');
  });

  it('are rejected with a misspelled nested field or text for a number', async () => {
    const faults = (right: string, wrong: string) => kubernetesFaults(readYaml(broken(text, right, wrong)));
    assert.match(await faults('readOnlyRootFilesystem', 'readonlyRootFilesystem'), /readonlyRootFilesystem/);
    assert.match(
      await faults('activeDeadlineSeconds: 7200', 'activeDeadlineSeconds: 2h'),
      /not assignable to type 'number'/,
    );
  });
});

describe('the Kubernetes job', () => {
  it('runs one job at a time, with a deadline and limited retries', () => {
    assert.equal(cronJob.spec.concurrencyPolicy, 'Forbid');
    assert.ok(job.activeDeadlineSeconds > 3600, 'longer than the push waits');
    assert.equal(job.backoffLimit, 3);
    assert.equal(pod.restartPolicy, 'OnFailure');
  });

  it('complies with the restricted Pod Security Standard, with a read-only root file system', () => {
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

  it('mounts a writable folder for every output path in its arguments', () => {
    assert.deepEqual(
      pod.volumes.map(({ name }) => name),
      ['output', 'tmp'],
    );
    for (const { args, volumeMounts } of containers)
      for (const word of args.filter((each) => each.startsWith('/')))
        assert.ok(
          volumeMounts.some(({ mountPath }) => word.startsWith(mountPath)),
          word,
        );
  });

  it('passes each container its own secret only', () => {
    const [scan, push] = containers.map((container) => environmentOf(file, container));
    assert.deepEqual(scan, {
      DIRECTORY_ORG_DOMAIN: 'ConfigMap',
      DIRECTORY_CLIENT_ID: 'ConfigMap',
      DIRECTORY_PRIVATE_KEY: 'Secret',
    });
    assert.deepEqual(push, { SCANNER_CLOUD_API_BASE_URL: 'ConfigMap', SCANNER_CLOUD_API_KEY: 'Secret' });
  });

  it('completes when the scan has findings and fails when the push fails', () => {
    const [scan, push] = containers;
    assert.ok(scan?.args.includes('--ignore-exit-code-3'));
    assert.deepEqual(push?.args.slice(0, 2), ['push', '--wait']);
  });
});
