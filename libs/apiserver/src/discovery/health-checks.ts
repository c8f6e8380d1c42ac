const common = ['ping', 'log', 'etcd'];

/** What each health path looks at, in the order in which it is told. All of it is well while the server answers. */
const checks: Readonly<Record<string, readonly string[]>> = {
  healthz: common,
  livez: common,
  readyz: [...common, 'etcd-readiness', 'informer-sync', 'shutdown'],
};

/** The text of a health path such as `/livez` or `/readyz/etcd`; undefined for what is not looked at. */
export function healthText(path: string, query: URLSearchParams): string | undefined {
  const [, name = '', check, ...rest] = path.split('/');
  const known = Object.hasOwn(checks, name) ? checks[name]! : undefined;
  if (known === undefined || rest.length > 0) return undefined;
  if (check !== undefined) return known.includes(check) ? 'ok' : undefined;
  if (!query.has('verbose')) return 'ok';
  const excluded = query.getAll('exclude');
  const unknown = excluded.filter((each) => !known.includes(each));
  return [
    ...known.map((each) => `[+]${each}${excluded.includes(each) ? ' excluded:' : ''} ok`),
    ...(unknown.length === 0
      ? []
      : [
          `warn: some health checks cannot be excluded: no matches for ${unknown.map((each) => JSON.stringify(each)).join(',')}`,
        ]),
    `${name} check passed`,
    '',
  ].join('\n');
}

/** All health paths. */
export const healthPaths = Object.entries(checks).flatMap(([name, each]) => [
  `/${name}`,
  ...each.map((check) => `/${name}/${check}`),
]);
