import {
  Inject,
  Injectable,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type Type,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { OperatorFakes } from './support/fake-engine.js';
import { operatorModule } from './support/operator-app.js';

/** root -> feature -> { database, operator } */
function application(operator: DynamicModule, order: string[]): Type {
  @Injectable()
  class Database implements OnApplicationBootstrap, OnModuleDestroy {
    onApplicationBootstrap(): void {
      order.push('database up');
    }
    onModuleDestroy(): void {
      order.push('database down');
    }
  }
  @Module({ providers: [Database], exports: [Database] })
  class DatabaseModule {}
  @Injectable()
  class Feature implements OnApplicationBootstrap, OnModuleDestroy {
    constructor(@Inject(Database) readonly database: Database) {}
    onApplicationBootstrap(): void {
      order.push('feature up');
    }
    onModuleDestroy(): void {
      order.push('feature down');
    }
  }
  @Module({ imports: [DatabaseModule, operator], providers: [Feature] })
  class FeatureModule {}
  @Module({ imports: [FeatureModule] })
  class Root implements OnApplicationBootstrap, OnModuleDestroy {
    onApplicationBootstrap(): void {
      order.push('root up');
    }
    onModuleDestroy(): void {
      order.push('root down');
    }
  }
  return Root;
}

describe('hook order', () => {
  it.each([false, true])('starts the operator last and drains it first (global: %s)', async (global) => {
    const order: string[] = [];
    const fakes = new OperatorFakes();
    fakes.prepare = (engine) => {
      const start = engine.start.bind(engine);
      engine.start = () => {
        order.push('operator up');
        return start();
      };
      Object.defineProperty(engine, 'drained', {
        get: () => Promise.resolve().then(() => order.push('operator drained')),
      });
    };
    const module = await Test.createTestingModule({
      imports: [application(operatorModule(fakes, { global }), order)],
    }).compile();
    await module.init();
    expect(order.splice(0)).toEqual(['database up', 'feature up', 'root up', 'operator up']);
    await module.close();
    expect(order).toEqual(['operator drained', 'root down', 'feature down', 'database down']);
    expect(fakes.records.filter(({ message }) => message.startsWith('Hook order'))).toEqual([]);
  });
});
