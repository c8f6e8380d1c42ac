import { CustomResource, KubeObject, type Condition } from 'nestjs-operator';

export interface SiteSpec {
  readonly title: string;
  readonly theme?: 'light' | 'dark';
}

export interface SiteStatus {
  readonly page?: string;
  readonly message?: string | null;
  readonly conditions?: readonly Condition[];
}

@CustomResource({
  group: 'web.example',
  version: 'v1',
  kind: 'Site',
  plural: 'sites',
  shortNames: ['st'],
  scope: 'Namespaced',
})
export class Site extends KubeObject<SiteSpec, SiteStatus> {}
