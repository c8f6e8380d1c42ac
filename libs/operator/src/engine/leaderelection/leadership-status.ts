import type { ElectionState } from './election-state.js';

/** Who leads, as this replica sees it. */
export interface LeadershipStatus {
  /** `off`: there is no election, and this process works alone. */
  readonly state: 'off' | ElectionState;
  /** Wall clock, milliseconds since 1970; `undefined` with `off`. */
  readonly since: number | undefined;
  /** `namespace/name` of the lease. */
  readonly lease: string | undefined;
  /** Under which name this replica stands. */
  readonly identity: string | undefined;
  /** Who holds the lease, as last seen. */
  readonly holder: string | undefined;
  /** The requests for the lease fail since then (wall clock), and why. */
  readonly failing: { readonly since: number; readonly message: string } | undefined;
}

export const noElection: LeadershipStatus = {
  state: 'off',
  since: undefined,
  lease: undefined,
  identity: undefined,
  holder: undefined,
  failing: undefined,
};
