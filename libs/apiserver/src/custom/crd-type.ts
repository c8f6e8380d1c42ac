import type { JsonObject, KubeObject } from '../json.js';
import { printerColumns, type PrinterColumn } from '../resources/columns/printer-column.js';
import { storageOf, type ResourceType } from '../resources/resource-type.js';
import { compareVersions } from '../resources/version-order.js';
import type { ClientConfig } from '../webhooks/client-config.js';
import type { CustomConversion } from './custom-version.js';
import type { Schema } from './schema.js';

export interface DefinitionNames {
  plural: string;
  singular?: string;
  kind: string;
  listKind?: string;
  shortNames?: string[];
  categories?: string[];
}

export interface DefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: Schema };
  subresources?: {
    status?: JsonObject;
    scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string };
  };
  additionalPrinterColumns?: PrinterColumn[];
  selectableFields?: { jsonPath: string }[];
}

export interface DefinitionSpec {
  group: string;
  scope: 'Namespaced' | 'Cluster';
  names: DefinitionNames;
  versions: DefinitionVersion[];
  conversion?: {
    strategy?: string;
    webhook?: { clientConfig: ClientConfig; conversionReviewVersions: readonly string[] };
  };
  preserveUnknownFields?: boolean;
}

/** A CustomResourceDefinition (apiextensions.k8s.io/v1) as stored. */
export interface Definition extends KubeObject {
  spec: DefinitionSpec & JsonObject;
}

const allVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const pathParts = (path: string): string[] => path.replace(/^\./, '').split('.');

function schemaOf(spec: DefinitionSpec, version: DefinitionVersion): Schema {
  const written = version.schema?.openAPIV3Schema ?? {};
  return spec.preserveUnknownFields === true ? { ...written, 'x-kubernetes-preserve-unknown-fields': true } : written;
}

function conversionOf({ conversion, versions }: DefinitionSpec): CustomConversion | undefined {
  if (conversion?.strategy !== 'Webhook' || conversion.webhook === undefined || versions.length < 2) return undefined;
  const { clientConfig, conversionReviewVersions } = conversion.webhook;
  return {
    clientConfig,
    reviewVersion: conversionReviewVersions.find((version) => version === 'v1' || version === 'v1beta1') ?? 'v1',
  };
}

/** What the use of a deprecated version is answered with: its own words, or the newer version to use. */
function deprecationOf({ group, names, versions }: DefinitionSpec, version: DefinitionVersion): string {
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const [better] = versions
    .filter(({ name, served, deprecated }) => served && deprecated !== true && compareVersions(name, version.name) < 0)
    .map(({ name }) => name)
    .sort(compareVersions);
  const use = better === undefined ? '' : `; use ${group}/${better} ${names.kind}`;
  return `${group}/${version.name} ${names.kind} is deprecated${use}`;
}

/** The resource types that a CustomResourceDefinition makes the server serve, one per served version. */
export function definitionTypes(definition: Definition, epoch: number): ResourceType[] {
  const { spec } = definition;
  const terminating = definition.metadata.deletionTimestamp !== undefined;
  const storageVersion = spec.versions.find((version) => version.storage)?.name ?? '';
  const schemas = Object.fromEntries(spec.versions.map((version) => [version.name, schemaOf(spec, version)]));
  const conversion = conversionOf(spec);
  return spec.versions
    .filter((version) => version.served)
    .map((version) => {
      const schema = schemas[version.name]!;
      const scale = version.subresources?.scale;
      return {
        group: spec.group,
        version: version.name,
        plural: spec.names.plural,
        singular: spec.names.singular ?? spec.names.kind.toLowerCase(),
        kind: spec.names.kind,
        listKind: spec.names.listKind ?? `${spec.names.kind}List`,
        namespaced: spec.scope === 'Namespaced',
        shortNames: spec.names.shortNames ?? [],
        categories: spec.names.categories ?? [],
        storage: storageOf(spec.group, spec.names.plural),
        status: version.subresources?.status !== undefined,
        scale: scale !== undefined,
        generation: true,
        createOnUpdate: false,
        unconditionalUpdate: false,
        deleteReturnsObject: false,
        verbs: terminating ? allVerbs.filter((verb) => !['create', 'update', 'patch'].includes(verb)) : allVerbs,
        fields: Object.fromEntries(
          (version.selectableFields ?? []).map(({ jsonPath }) => [jsonPath.slice(1), pathParts(jsonPath)]),
        ),
        columns: printerColumns(version.additionalPrinterColumns),
        nameRule: 'subdomain',
        schema,
        ...(version.deprecated === true ? { deprecation: deprecationOf(spec, version) } : {}),
        custom: {
          definition: definition.metadata.name ?? '',
          epoch,
          schema,
          schemas,
          storageVersion,
          ...(conversion === undefined ? {} : { conversion }),
          terminating,
          ...(scale === undefined
            ? {}
            : {
                scalePaths: {
                  spec: pathParts(scale.specReplicasPath),
                  status: pathParts(scale.statusReplicasPath),
                  ...(scale.labelSelectorPath === undefined ? {} : { selector: pathParts(scale.labelSelectorPath) }),
                },
              }),
        },
      } satisfies ResourceType;
    });
}
