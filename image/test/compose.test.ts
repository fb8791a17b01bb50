import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { SETTING_NAMES } from '../../packages/server/src/config/config.ts';
import { parseCompose, readCompose, readComposeText, validateCompose } from './support/compose-file.ts';
import { CHECKOUT } from './support/dockerfile.ts';

const text = await readComposeText();
const compose = await readCompose();
const services = Object.entries(compose.services);
const sluiceServices = services.filter(([, { image }]) => image.startsWith('sluice:'));
const serving = sluiceServices.filter(([, { command }]) => command?.[0] === 'serve');
/** A service that exits when its work is done. */
const ONE_SHOT = 'bucket';

describe('compose.yaml', () => {
  it('compose.yaml conforms to the Compose Specification, which rejects a misspelled key and an invalid duration', async () => {
    assert.deepEqual(await validateCompose(parseCompose(text)), []);
    const misspelledKey = parseCompose(text.replace('stop_grace_period: 15s', 'stop_grace_periods: 15s'));
    assert.notDeepEqual(await validateCompose(misspelledKey), []);
    const invalidDuration = parseCompose(text.replace('interval: 10s', 'interval: 10 seconds'));
    assert.notDeepEqual(await validateCompose(invalidDuration), []);
  });

  it('compose.yaml runs two API processes and two workers behind one load balancer', () => {
    const processes = (role: string) =>
      serving
        .filter(([, { command }]) => command?.join(' ') === `serve --role ${role}`)
        .reduce((sum, [, { deploy }]) => sum + deploy.replicas, 0);
    assert.deepEqual([processes('api'), processes('worker')], [2, 2]);
    assert.deepEqual(
      services.filter(([, { ports }]) => ports.length > 0).map(([name]) => name),
      ['load-balancer'],
    );
  });

  it('compose.yaml restricts privileges, memory, CPU, and logs of every container', () => {
    for (const [name, service] of services) {
      assert.deepEqual([service.read_only, service.init, service.cap_drop], [true, true, ['ALL']], name);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
      assert.deepEqual(service.cap_add, name === 'load-balancer' ? ['NET_BIND_SERVICE'] : [], name);
      assert.equal(service.restart, name === ONE_SHOT ? 'no' : 'unless-stopped', name);
      assert.match(service.deploy.resources.limits.memory, /^\d+[mg]$/, name);
      assert.match(service.deploy.resources.limits.cpus, /^\d+(\.\d+)?$/, name);
      assert.deepEqual(
        service.logging,
        { driver: 'local', options: { 'max-size': '10m', 'max-file': '3' } },
        name,
      );
      assert.ok(
        name === 'load-balancer' || service.networks.join() === 'back',
        `${name} is reachable from outside the host`,
      );
    }
    assert.equal(compose.networks.back?.internal, true);
    for (const [name, { deploy, stop_grace_period }] of serving)
      assert.deepEqual([deploy.resources.limits.memory, stop_grace_period], ['512m', '15s'], name);
  });

  it('compose.yaml checks the health of every service and starts it after its dependencies', () => {
    for (const [name, { healthcheck, depends_on }] of services) {
      assert.equal(healthcheck.disable ?? healthcheck.test?.[0], name === ONE_SHOT ? true : 'CMD', name);
      for (const [dependency, { condition }] of Object.entries(depends_on)) {
        assert.ok(dependency in compose.services, dependency);
        const expected = dependency === ONE_SHOT ? 'service_completed_successfully' : 'service_healthy';
        assert.equal(condition, expected, `${name} depends on ${dependency}`);
      }
    }
    for (const [name, { depends_on }] of serving)
      assert.deepEqual(Object.keys(depends_on), ['postgres', ONE_SHOT], name);
  });

  it('compose.yaml uses versioned images and mounts existing files', async () => {
    for (const [name, { image, volumes }] of services) {
      assert.match(image, /:v?\d+\.\d+/, name);
      for (const volume of volumes.filter((each) => each.startsWith('./')))
        await access(path.join(CHECKOUT, volume.split(':')[0] ?? ''));
    }
  });

  it('compose.yaml sets the same known settings for all Sluice processes', () => {
    for (const [name, { environment }] of sluiceServices) {
      for (const setting of Object.keys(environment))
        assert.ok(SETTING_NAMES.has(setting), `${name} ${setting}`);
      assert.deepEqual(environment, sluiceServices[0]?.[1].environment, name);
    }
  });

  it('compose.yaml reads secrets from .env, and .env.example contains development-only values', async () => {
    const example = await readFile(path.join(CHECKOUT, '.env.example'), 'utf8');
    const values = new Map(
      [...example.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    const secrets = services.flatMap(([, { environment }]) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|SECRET|ACCESS_KEY/.test(name)),
    );
    assert.ok(secrets.length > 4);
    for (const [name, value] of secrets) {
      const [, variable = ''] = /^\$\{([A-Z0-9_]+):\?copy \.env\.example to \.env\}$/.exec(value) ?? [];
      assert.match(values.get(variable) ?? '', /^development-only/, name);
    }
    for (const [, variable = ''] of text.matchAll(/\$\{([A-Z0-9_]+)/g))
      assert.ok(values.has(variable), variable);
    for (const file of ['.gitignore', '.dockerignore'])
      assert.match(await readFile(path.join(CHECKOUT, file), 'utf8'), /^(\.env|\*)$/m, file);
  });

  it('the load balancer checks the health of the API processes and does not buffer uploads', async () => {
    const caddyfile = await readFile(path.join(CHECKOUT, 'image/caddy/Caddyfile'), 'utf8');
    const directives = caddyfile.replace(/^\s*#.*$/gm, '');
    const [, upstreams = ''] = /reverse_proxy (.*) \{/.exec(directives) ?? [];
    const apis = serving
      .filter(([, { command }]) => command?.at(-1) === 'api')
      .map(([name]) => `${name}:8080`);
    assert.deepEqual(upstreams.split(' ').sort(), apis.sort());
    assert.match(directives, /health_uri \/health\/ready\n/);
    assert.doesNotMatch(directives, /request_buffers|flush_interval/);
  });
});
