import { describe, expect, it } from 'vitest';
import { describePath } from '../../../src/engine/observing/describe-path.js';

describe('the description of a path', () => {
  it.each([
    ['/apis/demo.example/v1/widgets', 'widgets.v1.demo.example', undefined, '/apis/demo.example/v1/widgets'],
    [
      '/apis/demo.example/v1/namespaces/team-a/widgets/one/status',
      'widgets.v1.demo.example',
      'status',
      '/apis/demo.example/v1/namespaces/{namespace}/widgets/{name}/status',
    ],
    ['/api/v1/namespaces/team-a/pods/web-1', 'pods.v1', undefined, '/api/v1/namespaces/{namespace}/pods/{name}'],
    ['/api/v1/namespaces/secret-name', 'namespaces.v1', undefined, '/api/v1/namespaces/{name}'],
    ['/api/v1/namespaces/secret-name/finalize', 'namespaces.v1', 'finalize', '/api/v1/namespaces/{name}/finalize'],
    ['/api/v1/nodes/n1/proxy/a/secret', 'nodes.v1', 'proxy', '/api/v1/nodes/{name}/proxy/{path}'],
    ['/api/v1', undefined, undefined, '/api/v1'],
    ['/apis', undefined, undefined, '/apis'],
    ['/apis/demo.example/v1', undefined, undefined, '/apis/{group}/{version}'],
    ['/openapi/v3/apis/demo.example/v1', undefined, undefined, '/openapi'],
    ['/secret/anything', undefined, undefined, '/{path}'],
  ])('%s', (path, resource, subresource, template) => {
    expect(describePath(path)).toEqual({ resource, subresource, template });
  });
});
