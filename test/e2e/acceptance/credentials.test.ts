import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestStage } from '@nestjs-operator/testing';
import { CredentialsError, HandlerContext, OnCreate, ResourceHandlers, type KubeConfigSource } from 'nestjs-operator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Widget, configMaps } from '../../support/kinds.js';
import { chainOf, createScene, createStage, object, planted, type Scene } from './support.js';

let stage: TestStage;
let scene: Scene | undefined;

beforeEach(async () => {
  stage = await createStage([object('Widget', 'there')]);
});

afterEach(async () => {
  await scene?.close();
  await stage.close();
  scene = undefined;
});

@ResourceHandlers(Widget)
class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  ensure(ctx: HandlerContext<Widget>): void {
    this.calls.push(ctx.meta.name);
  }
}

/** A kubeconfig whose user is what the plugin at `script` says, run by this very Node. */
function pluginConfig(script: string, command = process.execPath): KubeConfigSource {
  const config = stage.api.kubeConfig();
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command,
    args: ['-e', script],
    interactiveMode: 'Never',
  };
  return { ...config, users: config.users.map(({ name }) => ({ name, user: { exec } })) } as KubeConfigSource;
}

const refusal = 'process.exit(3)';

describe('credentials that cannot be had', () => {
  test('[AC-29] a login that keeps failing ends the operator within a minute, with the login error in the chain', async () => {
    scene = await createScene(stage, { providers: [WidgetHandlers], operator: { kubeConfig: pluginConfig(refusal) } });
    const { clock, exit, client, transport, logs } = scene;
    const begun = clock.monotonic();
    // A call of the application must not wait for ever either.
    const call = client.get(configMaps, { name: 'any', namespace: 'default' }).then(
      () => undefined,
      (error: unknown) => error,
    );
    const failure = await scene.failure();
    expect(clock.monotonic() - begun).toBeLessThanOrEqual(61_000);
    expect([exit.code, exit.exits]).toEqual([1, [1]]);
    const chain = chainOf(failure);
    const login = chain.find((link) => link instanceof CredentialsError);
    expect(login).toBeInstanceOf(CredentialsError);
    expect((chain.at(-1) as Error).message).toMatch(/Credential plugin .* ended with code 3/);
    expect(logs.find({ level: 'error' }).at(-1)).toMatchObject({ message: 'Operator failed', error: failure });
    expect(await call).toBeInstanceOf(CredentialsError);
    expect(transport.sent).toEqual([]);
  });

  test('[AC-29] a plugin that does not exist ends the operator at once', async () => {
    const kubeConfig = pluginConfig(refusal, 'no-such-credential-plugin');
    scene = await createScene(stage, { providers: [WidgetHandlers], operator: { kubeConfig } });
    const failure = await scene.failure();
    expect(stage.clock.monotonic()).toBeLessThanOrEqual(60_000);
    expect(scene.exit.exits).toEqual([1]);
    expect(chainOf(failure).some((link) => link instanceof CredentialsError)).toBe(true);
  });

  test('[AC-29] a login that fails later, once the former credentials have run out, ends the operator as well', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'login-'));
    try {
      const file = join(folder, 'credential.json');
      const expirationTimestamp = new Date(stage.clock.now() + 600_000).toISOString();
      const credential = {
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        status: { token: planted.token, expirationTimestamp },
      };
      writeFileSync(file, JSON.stringify(credential));
      const script = `
        const { existsSync, readFileSync } = require('node:fs');
        const file = ${JSON.stringify(file)};
        if (!existsSync(file)) process.exit(3);
        process.stdout.write(readFileSync(file));
      `;
      scene = await createScene(stage, {
        providers: [WidgetHandlers],
        operator: { kubeConfig: pluginConfig(script) },
      });
      const { clock, operator, exit } = scene;
      await clock.during(operator.whenSynced());
      await scene.settled();
      expect(scene.module.get(WidgetHandlers).calls).toEqual(['there']);
      rmSync(file);
      await clock.advance(590_000);
      expect([operator.getStatus().state, exit.code]).toEqual(['running', undefined]);
      const failure = await scene.failure();
      // A watch that is open needs none; it is asked for again after ten minutes at the latest, and then waits for a minute.
      expect(clock.monotonic()).toBeLessThanOrEqual(1_200_000 + 61_000);
      expect([exit.code, exit.exits]).toEqual([1, [1]]);
      const chain = chainOf(failure);
      expect(chain.some((link) => link instanceof CredentialsError)).toBe(true);
      expect((chain.at(-1) as Error).message).toMatch(/Credential plugin .* ended with code 3/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
