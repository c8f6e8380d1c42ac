import { Injectable } from '@nestjs/common';
import {
  HandlerContext,
  OnCleanup,
  OnStartup,
  OnWatchEvent,
  PermanentError,
  ResourceHandlers,
  TemporaryError,
  type ActivityContext,
} from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** What there is beside the handlers: it is made ready before anything is watched, and taken down after the last handler. */
@Injectable()
export class Warehouse {
  readonly journal: string[] = [];
  readonly shelves = new Set<string>();
  #open = false;

  @OnStartup()
  unlock(): void {
    this.journal.push('unlock');
  }

  @OnStartup()
  openGates({ retry }: ActivityContext): void {
    this.journal.push(`open gates, attempt ${retry + 1}`);
    if (retry < 3) throw new TemporaryError('The gates are frozen', { delay: '1s' });
    this.#open = true;
  }

  store(name: string): void {
    if (!this.#open) throw new Error('The gates are closed');
    this.shelves.add(name);
    this.journal.push(`store ${name}`);
  }

  @OnCleanup()
  clear(): void {
    this.journal.push(`clear ${this.shelves.size}`);
    this.shelves.clear();
    this.#open = false;
  }
}

@ResourceHandlers(Widget)
export class Storekeeper {
  constructor(private readonly warehouse: Warehouse) {}

  @OnWatchEvent()
  store({ meta }: HandlerContext<Widget>): void {
    this.warehouse.store(meta.name);
  }
}

/** A start-up that fails for good is a start that fails. */
@Injectable()
export class CondemnedWarehouse extends Warehouse {
  @OnStartup()
  inspect(): void {
    throw new PermanentError('The roof has come down');
  }
}
