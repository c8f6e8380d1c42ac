// Written by scripts/builtin-schemas.mjs.

import { admissionregistrationV1 } from './admissionregistration-v1.js';
import { apiextensionsV1 } from './apiextensions-v1.js';
import { appsV1 } from './apps-v1.js';
import { authenticationV1 } from './authentication-v1.js';
import { authorizationV1 } from './authorization-v1.js';
import { autoscalingV1 } from './autoscaling-v1.js';
import { autoscalingV2 } from './autoscaling-v2.js';
import { batchV1 } from './batch-v1.js';
import { coordinationV1 } from './coordination-v1.js';
import { coreV1 } from './core-v1.js';
import { discoveryV1 } from './discovery-v1.js';
import { eventsV1 } from './events-v1.js';
import { metaV1 } from './meta-v1.js';
import { networkingV1 } from './networking-v1.js';
import { policyV1 } from './policy-v1.js';
import { rbacV1 } from './rbac-v1.js';
import { schedulingV1 } from './scheduling-v1.js';
import { shared } from './shared.js';
import { storageV1 } from './storage-v1.js';

/** Texts with one definition per line: its name, a space, and what it is in JSON. */
export const definitionTexts = [
  admissionregistrationV1,
  apiextensionsV1,
  appsV1,
  authenticationV1,
  authorizationV1,
  autoscalingV1,
  autoscalingV2,
  batchV1,
  coordinationV1,
  coreV1,
  discoveryV1,
  eventsV1,
  metaV1,
  networkingV1,
  policyV1,
  rbacV1,
  schedulingV1,
  shared,
  storageV1,
];
