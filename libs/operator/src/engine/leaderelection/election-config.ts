/** Settings of an election, complete and checked. Durations are milliseconds. */
export interface ElectionConfig {
  readonly namespace: string;
  /** Name of the Lease. */
  readonly name: string;
  /** Who stands: unique among all processes that may hold the lease, also over time. */
  readonly identity: string;
  /** After that long without a sign of the holder, others may take over. */
  readonly leaseDuration: number;
  /** After that long without a renewal, the leader gives up. */
  readonly renewDeadline: number;
  readonly retryPeriod: number;
  readonly onLost: 'exit' | 'standby';
  /** A replica that stands by lists and watches. */
  readonly warmStandby: boolean;
}

/** No write begins with less than that left of the lease. */
export const leastTimeForWrite = 2_000;

/** For how long after the sending of a renewal the lead is safe: what begins in that time also ends in time. */
export function safeTime({
  renewDeadline,
  leaseDuration,
}: Pick<ElectionConfig, 'renewDeadline' | 'leaseDuration'>): number {
  return Math.min(renewDeadline, leaseDuration - leastTimeForWrite);
}

/** A retry may take that many times its period. */
export const longestRetry = 1.2;
