import { Injectable } from '@nestjs/common';
import { OperatorRef } from 'nestjs-operator';

@Injectable()
export class Maintenance {
  constructor(private readonly operator: OperatorRef) {}

  async migrate(work: () => Promise<void>): Promise<void> {
    await this.operator.pause(); // what ran has ended, or goes on after shutdown.drain
    try {
      await work();
    } finally {
      this.operator.resume(); // what has changed meanwhile is handled now, by its newest state
    }
  }
}
