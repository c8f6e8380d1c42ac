import { builtinSchema } from '../schemas/builtin-schemas.js';
import { ageColumn, nameColumn } from './columns/cells.js';
import { storageOf, type ResourceType, type TableColumn } from './resource-type.js';

export const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;

/** What is special about a built-in resource; all that is usual is left out. */
export interface ResourceRow {
  group?: string;
  version?: string;
  plural: string;
  kind: string;
  singular?: string;
  cluster?: boolean;
  short?: string[];
  categories?: string[];
  status?: boolean;
  scale?: boolean;
  generation?: boolean;
  generationOf?: NonNullable<ResourceType['generationOf']>;
  createOnUpdate?: boolean;
  conditional?: boolean;
  deleteReturnsObject?: boolean;
  defaultPropagation?: NonNullable<ResourceType['defaultPropagation']>;
  fields?: Record<string, string[]>;
  /** What field selectors take for absent fields. */
  absent?: Record<string, string>;
  deprecation?: string;
  /** Name and age where nothing else is said. */
  columns?: readonly TableColumn[];
  rowConditions?: NonNullable<ResourceType['rowConditions']>;
  nameRule?: ResourceType['nameRule'];
  storage?: string;
  verbs?: readonly string[];
  virtual?: boolean;
  defaults?: NonNullable<ResourceType['defaults']>;
  prepare?: NonNullable<ResourceType['prepare']>;
  prepareStatus?: NonNullable<ResourceType['prepareStatus']>;
  causes?: NonNullable<ResourceType['causes']>;
  invalidAs?: NonNullable<ResourceType['invalidAs']>;
  fromStorage?: NonNullable<ResourceType['fromStorage']>;
  toStorage?: NonNullable<ResourceType['toStorage']>;
}

const usualColumns = [nameColumn, ageColumn];

/** The resource type that a row describes. */
export function builtinType(row: ResourceRow): ResourceType {
  const group = row.group ?? '';
  const version = row.version ?? 'v1';
  return {
    group,
    version,
    get schema() {
      return builtinSchema(group, version, row.kind);
    },
    plural: row.plural,
    singular: row.singular ?? row.kind.toLowerCase(),
    kind: row.kind,
    listKind: `${row.kind}List`,
    namespaced: row.cluster !== true,
    shortNames: row.short ?? [],
    categories: row.categories ?? [],
    storage: row.storage ?? storageOf(group, row.plural),
    status: row.status ?? false,
    scale: row.scale ?? false,
    generation: row.generation ?? false,
    ...(row.generationOf === undefined ? {} : { generationOf: row.generationOf }),
    createOnUpdate: row.createOnUpdate ?? false,
    unconditionalUpdate: row.conditional !== true,
    deleteReturnsObject: row.deleteReturnsObject ?? false,
    ...(row.defaultPropagation === undefined ? {} : { defaultPropagation: row.defaultPropagation }),
    verbs: row.verbs ?? allVerbs,
    fields: row.fields ?? {},
    ...(row.deprecation === undefined ? {} : { deprecation: row.deprecation }),
    ...(row.absent === undefined ? {} : { absentFields: row.absent }),
    columns: row.columns ?? usualColumns,
    ...(row.rowConditions === undefined ? {} : { rowConditions: row.rowConditions }),
    ...(row.virtual === true ? { virtual: true as const } : {}),
    nameRule: row.nameRule ?? 'subdomain',
    ...(row.defaults === undefined ? {} : { defaults: row.defaults }),
    ...(row.prepare === undefined ? {} : { prepare: row.prepare }),
    ...(row.prepareStatus === undefined ? {} : { prepareStatus: row.prepareStatus }),
    ...(row.causes === undefined ? {} : { causes: row.causes }),
    ...(row.invalidAs === undefined ? {} : { invalidAs: row.invalidAs }),
    ...(row.fromStorage === undefined ? {} : { fromStorage: row.fromStorage }),
    ...(row.toStorage === undefined ? {} : { toStorage: row.toStorage }),
  };
}
