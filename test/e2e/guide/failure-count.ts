import { Injectable } from '@nestjs/common';
import { OperatorEvents } from 'nestjs-operator';

@Injectable()
export class FailureCount {
  readonly failures = new Map<string, number>();

  constructor(events: OperatorEvents) {
    events.stream.subscribe((event) => {
      if (event.type !== 'handlerFailed' || event.outcome !== 'permanent') return;
      this.failures.set(event.origin, (this.failures.get(event.origin) ?? 0) + 1);
    });
  }
}
