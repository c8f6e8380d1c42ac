import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type KubeClient } from 'nestjs-operator';
import { persistentVolumeClaims, type Claim } from '../volumes/claim.service.js';
import { EphemeralVolumeClaim } from '../volumes/ephemeral-volume-claim.js';

const longestScene = 20_000;
const namespace = 'default';

interface Scene {
  readonly title: string;
  readonly play: () => Promise<unknown>;
  /** What must come of it. */
  readonly expect: () => Promise<boolean>;
}

/** Plays every scene and checks what came of it. Resolves with the titles of those that failed. */
export async function playScenario(kube: KubeClient, print: (line: string) => void): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const scene of scenes(kube)) {
    print(`--- ${scene.title}`);
    await scene.play();
    const happened = await within(longestScene, scene.expect);
    print(happened ? `    as it should be: ${scene.title}` : `    DID NOT HAPPEN: ${scene.title}`);
    if (!happened) failed.push(scene.title);
  }
  return failed;
}

function scenes(kube: KubeClient): readonly Scene[] {
  const scratch = { name: 'scenario', namespace };
  const vague = { name: 'scenario-vague', namespace };
  const owner = (ref: typeof scratch): Promise<EphemeralVolumeClaim | undefined> =>
    orAbsent(kube.get(EphemeralVolumeClaim, ref));
  const claim = (): Promise<Claim | undefined> => orAbsent(kube.get(persistentVolumeClaims, scratch));
  const storage = async (): Promise<unknown> => (await claim())?.spec?.resources?.requests?.['storage'];
  let former: string | undefined;
  return [
    {
      title: 'create: a PersistentVolumeClaim appears',
      play: () =>
        kube.create(EphemeralVolumeClaim, {
          metadata: { ...scratch, labels: { team: 'storage' } },
          spec: { size: '1Gi' },
        }),
      expect: async () => (await storage()) === '1Gi' && (await owner(scratch))?.status?.phase === 'Ready',
    },
    {
      title: 'resize: it follows the size',
      play: () => kube.patch(EphemeralVolumeClaim, scratch, { spec: { size: '2Gi' } }),
      expect: async () => (await storage()) === '2Gi',
    },
    {
      title: 'relabel: it follows the labels',
      play: () => kube.patch(EphemeralVolumeClaim, scratch, { metadata: { labels: { team: null, tier: 'fast' } } }),
      expect: async () => {
        const labels = (await claim())?.metadata.labels;
        return labels?.['tier'] === 'fast' && labels['team'] === undefined;
      },
    },
    {
      title: 'the PersistentVolumeClaim is deleted: it is made again',
      play: async () => {
        former = (await claim())?.metadata.uid;
        await kube.delete(persistentVolumeClaims, scratch);
      },
      expect: async () => {
        const found = await claim();
        return found !== undefined && found.metadata.uid !== former && (await storage()) === '2Gi';
      },
    },
    {
      title: 'bad input: it is refused, and says why',
      play: () => kube.create(EphemeralVolumeClaim, { metadata: vague, spec: { size: 'quite a lot' } }),
      expect: async () => {
        const status = (await owner(vague))?.status;
        return status?.phase === 'Refused' && status.message?.includes('quite a lot') === true;
      },
    },
    {
      title: 'delete: owner and claim go',
      play: async () => {
        await kube.delete(EphemeralVolumeClaim, scratch);
        await kube.delete(EphemeralVolumeClaim, vague);
      },
      expect: async () => (await owner(scratch)) === undefined && (await claim()) === undefined,
    },
  ];
}

async function orAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.isNotFound) return undefined;
    throw error;
  }
}

async function within(limit: number, expect: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + limit;
  while (!(await expect())) {
    if (performance.now() > end) return false;
    await pause(50);
  }
  return true;
}
