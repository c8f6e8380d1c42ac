import { expect } from 'vitest';
import { scales } from '../scales.js';
import type { Trial } from '../trial.js';

const clusterDefaults = {
  minSyncReplicas: 0,
  maxSyncReplicas: 0,
  postgresUID: 26,
  logLevel: 'info',
  enablePDB: true,
  startDelay: 3600,
  primaryUpdateStrategy: 'unsupervised',
  storage: { resizeInUseVolumes: true },
};

/** Definitions of PostgreSQL servers and databases. */
export const postgresTrials: readonly Trial[] = [
  {
    plural: 'postgresqls',
    shape: 'integers or texts, nulls in maps, negations, the type as an enumeration',
    object: {
      spec: {
        teamId: 'acid',
        numberOfInstances: 2,
        postgresql: { version: '17', parameters: { shared_buffers: '32MB' } },
        users: { zalando: ['superuser', 'createdb'], foo: null, bar: [] },
        resources: { requests: { cpu: '10m', hugepages: 5 } },
        volume: { size: '1Gi' },
        sidecars: null,
      },
    },
    stored: {
      spec: {
        teamId: 'acid',
        numberOfInstances: 2,
        postgresql: { version: '17', parameters: { shared_buffers: '32MB' } },
        users: { zalando: ['superuser', 'createdb'], foo: null, bar: [] },
        resources: { requests: { cpu: '10m', hugepages: 5 } },
        volume: { size: '1Gi' },
        sidecars: null,
      },
    },
    changes: {
      'an integer to a text, a free map': {
        patch: {
          spec: {
            resources: { requests: { hugepages: '5Mi' } },
            users: { zalando: null },
            databases: { foo: 'zalando' },
            sidecars: [{ name: 'a', ports: [{ containerPort: 80 }] }],
          },
        },
        stored: {
          spec: {
            teamId: 'acid',
            numberOfInstances: 2,
            postgresql: { version: '17', parameters: { shared_buffers: '32MB' } },
            users: { foo: null, bar: [] },
            databases: { foo: 'zalando' },
            resources: { requests: { cpu: '10m', hugepages: '5Mi' } },
            volume: { size: '1Gi' },
            sidecars: [{ name: 'a', ports: [{ containerPort: 80 }] }],
          },
        },
      },
    },
    refusals: {
      'what must not be together': {
        patch: { spec: { standby: { s3_wal_path: 'a', gs_wal_path: 'b', standby_port: 1 } } },
        causes: ['<nil>: Invalid value: "": "spec.standby" must not validate the schema (not)'],
      },
      'neither an integer nor a text': {
        patch: { spec: { standby: { standby_port: 1.5 } } },
        causes: [
          '<nil>: Invalid value: "": "spec.standby.standby_port" must validate at least one schema (anyOf)',
          '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.standby.standby_port',
          'spec.standby.standby_port: Invalid value: "number": spec.standby.standby_port in body must be of type integer,string: "number"',
          'spec.standby.standby_port: Invalid value: "number": spec.standby.standby_port in body must be of type integer: "number"',
        ],
      },
      'texts that do not match': {
        patch: { spec: { volume: { size: '1 GB' }, maintenanceWindows: ['Mon:01:00-02:00', 'Monday'] } },
        causes: [
          `spec.maintenanceWindows[1]: Invalid value: "Monday": spec.maintenanceWindows[1] in body should match '^\\ *((Mon|Tue|Wed|Thu|Fri|Sat|Sun):(2[0-3]|[01]?\\d):([0-5]?\\d))-((2[0-3]|[01]?\\d):([0-5]?\\d))\\ *$'`,
          `spec.volume.size: Invalid value: "1 GB": spec.volume.size in body should match '^(\\d+(e\\d+)?|\\d+(\\.\\d+)?(e\\d+)?[EPTGMK]i?)$'`,
        ],
      },
      'too few and what there is not': {
        patch: { spec: { numberOfInstances: -1, users: { a: ['login', 'god'] }, postgresql: { version: '9' } } },
        causes: [
          'spec.numberOfInstances: Invalid value: -1: spec.numberOfInstances in body should be greater than or equal to 0',
          'spec.postgresql.version: Unsupported value: "9": supported values: "15", "16", "17"',
          'spec.users.a[1]: Unsupported value: "god": supported values: "createdb", "CREATEDB", "superuser", "SUPERUSER", "login", "LOGIN"',
        ],
      },
      'next to nothing': {
        object: { spec: {} },
        causes: [
          'spec.numberOfInstances: Required value',
          'spec.postgresql: Required value',
          'spec.teamId: Required value',
          'spec.volume: Required value',
        ],
      },
    },
    further: {
      'is in the category of all': async (use) => {
        const { json } = await use.get('/apis/acid.zalan.do/v1');
        expect(json.resources[0].categories).toEqual(['all']);
      },
      'has a status of texts': async (use) => {
        const path = await use.given('status', {
          spec: { teamId: 'a', numberOfInstances: 1, postgresql: { version: '16' }, volume: { size: '1Gi' } },
        });
        const answer = await use.patch(`${path}/status`, { status: { PostgresClusterStatus: 'Running' } });
        expect(answer.json.status).toEqual({ PostgresClusterStatus: 'Running' });
      },
    },
  },
  {
    plural: 'clusters',
    shape: 'a scale, many defaults, rules',
    object: { spec: { instances: 3, backup: {}, tablespaces: [{ name: 'a' }, { name: 'b', temporary: true }] } },
    stored: {
      spec: {
        instances: 3,
        backup: { target: 'prefer-standby' },
        tablespaces: [
          { name: 'a', temporary: false },
          { name: 'b', temporary: true },
        ],
        ...clusterDefaults,
      },
    },
    changes: {
      'defaults are taken away': {
        patch: { spec: { backup: null, tablespaces: null, storage: null, logLevel: null, startDelay: 5 } },
        stored: { spec: { instances: 3, ...clusterDefaults, startDelay: 5 } },
      },
      'what brings defaults of its own': {
        patch: {
          spec: {
            backup: null,
            tablespaces: null,
            postgresql: { parameters: { max_connections: '100' }, synchronous: { method: 'any', number: 1 } },
            storage: { size: '1Gi' },
          },
        },
        stored: {
          spec: {
            instances: 3,
            ...clusterDefaults,
            postgresql: {
              parameters: { max_connections: '100' },
              synchronous: { method: 'any', number: 1, dataDurability: 'required' },
            },
            storage: { size: '1Gi', resizeInUseVolumes: true },
          },
        },
      },
      'the last of what is by default': {
        patch: { spec: { instances: null, backup: null, tablespaces: null } },
        stored: { spec: { ...clusterDefaults, instances: 1 } },
      },
    },
    refusals: {
      'a rule that names the field': {
        patch: { spec: { postgresql: { synchronous: { method: 'any', number: 0 } } } },
        causes: ['spec.postgresql.synchronous.number: Invalid value: one standby at least'],
      },
      'a rule over what may be absent': {
        patch: { spec: { bootstrap: { initdb: { icuLocale: 'de' } } } },
        causes: ['spec.bootstrap.initdb: Invalid value: such a locale needs its provider'],
      },
      'keys that are there twice': {
        patch: { spec: { tablespaces: [{ name: 'a' }, { name: 'a' }] } },
        causes: ['spec.tablespaces[1]: Duplicate value: {"name":"a"}'],
      },
      'a text that does not match': {
        patch: { spec: { backup: { retentionPolicy: '0d' } } },
        causes: [
          `spec.backup.retentionPolicy: Invalid value: "0d": spec.backup.retentionPolicy in body should match '^[1-9][0-9]*[dwm]$'`,
        ],
      },
    },
    further: {
      'is scaled': async (use) => {
        await scales(use, { instances: 1 }, 'instances', false);
      },
    },
  },
  {
    plural: 'databases',
    shape: 'fields that stay as they are',
    object: { spec: { cluster: {}, name: 'app', owner: 'app', encoding: 'UTF8', extensions: [{ name: 'bloom' }] } },
    stored: {
      spec: {
        cluster: { name: '' },
        name: 'app',
        owner: 'app',
        encoding: 'UTF8',
        ensure: 'present',
        databaseReclaimPolicy: 'retain',
        extensions: [{ name: 'bloom', ensure: 'present' }],
      },
    },
    changes: {
      'what may change': {
        patch: { spec: { owner: 'other', ensure: 'absent', connectionLimit: -1, extensions: null } },
        stored: {
          spec: {
            cluster: { name: '' },
            name: 'app',
            owner: 'other',
            encoding: 'UTF8',
            ensure: 'absent',
            databaseReclaimPolicy: 'retain',
            connectionLimit: -1,
          },
        },
      },
    },
    refusals: {
      'another name and another encoding': {
        patch: { spec: { name: 'b', encoding: 'C' } },
        causes: [
          'spec.encoding: Invalid value: "C": the encoding stays as it is',
          'spec.name: Invalid value: "b": the name of a database stays as it is',
        ],
      },
      'the encoding taken away': {
        patch: { spec: { encoding: null } },
        causes: ['spec: Invalid value: an encoding that was chosen stays'],
      },
      'a name that is taken': {
        object: { spec: { cluster: {}, name: 'postgres', owner: 'a' } },
        causes: ['spec.name: Invalid value: "postgres": this database is there already'],
      },
      'the name of a template': {
        object: { spec: { cluster: {}, name: 'template1', owner: 'a' } },
        causes: ['spec.name: Forbidden: a template is no database'],
      },
    },
  },
];
