import 'reflect-metadata';
import { stringify } from 'yaml';
import { demoManifests } from './demo-manifests.js';

const manifests = await demoManifests();
process.stdout.write(manifests.map((manifest) => stringify(manifest, { aliasDuplicateObjects: false })).join('---\n'));
