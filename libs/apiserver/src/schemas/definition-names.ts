const packages: Readonly<Record<string, string>> = {
  'meta.v1': 'io.k8s.apimachinery.pkg.apis.meta.v1',
  resource: 'io.k8s.apimachinery.pkg.api.resource',
  intstr: 'io.k8s.apimachinery.pkg.util.intstr',
  runtime: 'io.k8s.apimachinery.pkg.runtime',
  'apiextensions.v1': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
};

/** The name under which OpenAPI documents know a definition. */
export function longName(name: string): string {
  const end = name.lastIndexOf('.');
  const folder = name.slice(0, end);
  return `${packages[folder] ?? `io.k8s.api.${folder}`}${name.slice(end)}`;
}
