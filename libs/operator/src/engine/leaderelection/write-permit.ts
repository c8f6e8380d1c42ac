/** What a write needs to begin. */
export interface WritePermit {
  /**
   * Milliseconds within which a write that begins now must have ended.
   *
   * @throws LeadershipLostError when none may begin
   */
  timeForWrite(): number;
}
