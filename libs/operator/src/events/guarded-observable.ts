import { Observable, Subscriber, type Observer, type Operator, type Subscription } from 'rxjs';

/**
 * An observable whose subscribers may throw: rxjs would throw such an error again from a timer, where it ends the process.
 * What is piped from it is guarded as well.
 */
export class GuardedObservable<T> extends Observable<T> {
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void, subscribe?: (subscriber: Subscriber<T>) => () => void) {
    super(subscribe);
    this.#onError = onError;
  }

  /** `pipe` builds on it, which is how subclasses of rxjs 7 stay what they are. */
  override lift<R>(operator?: Operator<T, R>): Observable<R> {
    const lifted = new GuardedObservable<R>(this.#onError);
    lifted.source = this;
    lifted.operator = operator;
    return lifted;
  }

  override subscribe(
    observerOrNext?: Partial<Observer<T>> | ((value: T) => void) | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    // The next link of a pipe, or a promise that is made of it: they deal with errors.
    if (observerOrNext instanceof Subscriber) return super.subscribe(observerOrNext);
    const observer: Partial<Observer<T>> =
      typeof observerOrNext === 'function'
        ? { next: observerOrNext, ...(error && { error }), ...(complete && { complete }) }
        : (observerOrNext ?? {});
    const guarded = (act: () => void): void => {
      try {
        act();
      } catch (thrown) {
        this.#onError(thrown);
      }
    };
    return super.subscribe({
      next: (value) => guarded(() => observer.next?.(value)),
      error: (failure) =>
        guarded(() => {
          if (observer.error === undefined) this.#onError(failure);
          else observer.error(failure);
        }),
      complete: () => guarded(() => observer.complete?.()),
    });
  }
}
