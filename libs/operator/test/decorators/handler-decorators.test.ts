import { describe, expect, it } from 'vitest';
import { handlerDeclarations } from '../../src/decorators/handler-declaration.js';
import { OnCreate } from '../../src/decorators/on-create.decorator.js';
import { OnDelete } from '../../src/decorators/on-delete.decorator.js';
import { OnField } from '../../src/decorators/on-field.decorator.js';
import { OnUpdate } from '../../src/decorators/on-update.decorator.js';
import { InvalidDecoratorTargetError } from '../../src/errors/invalid-decorator-target.error.js';

describe('handler decorators', () => {
  it('add to each other, in source order', () => {
    class Handlers {
      @OnCreate({ retries: 3 })
      @OnUpdate({ field: 'spec.size' })
      @OnField({ field: ['metadata', 'labels', 'a.b'] })
      ensure(): void {}

      @OnDelete()
      remove(): void {}
    }
    expect(handlerDeclarations(Handlers.prototype.ensure)).toEqual([
      { decorator: 'OnCreate', on: 'create', options: { retries: 3 } },
      { decorator: 'OnUpdate', on: 'update', options: { field: 'spec.size' } },
      { decorator: 'OnField', on: 'field', options: { field: ['metadata', 'labels', 'a.b'] } },
    ]);
    expect(handlerDeclarations(Handlers.prototype.remove)).toHaveLength(1);
  });

  it('keep their list under a fixed key', () => {
    class Handlers {
      @OnCreate()
      ensure(): void {}
    }
    expect(Reflect.getOwnMetadataKeys(Handlers.prototype.ensure)).toContain(Symbol.for('nestjs-operator.handlers'));
  });

  it('do not change what the caller passed, nor follow its later changes', () => {
    const options = { retries: 1 };
    class Handlers {
      @OnCreate(options)
      ensure(): void {}
    }
    options.retries = 2;
    expect(handlerDeclarations(Handlers.prototype.ensure)[0]?.options).toEqual({ retries: 1 });
  });

  it('refuse static methods, methods named by symbols, and accessors', () => {
    const key = Symbol('secret name');
    const onStatic = (): unknown => {
      class Widgets {
        @OnCreate()
        static ensure(): void {}
      }
      return Widgets;
    };
    const onSymbol = (): unknown => {
      class Widgets {
        @OnCreate()
        [key](): void {}
      }
      return Widgets;
    };
    const onAccessor = (): unknown => {
      class Widgets {
        @OnUpdate()
        get size(): number {
          throw new Error('The getter was called.');
        }
      }
      return Widgets;
    };
    expect(onStatic).toThrow(InvalidDecoratorTargetError);
    expect(onStatic).toThrow(/@OnCreate\(\) stands on Widgets\.ensure, which is static/);
    expect(onSymbol).toThrow(/Widgets\.Symbol\(secret name\), which is named by a symbol/);
    expect(onAccessor).toThrow(/@OnUpdate\(\) stands on Widgets\.size, which is not a method/);
  });
});
