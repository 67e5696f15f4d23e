/** The most that `READ_LAG_MS` may be, in milliseconds: as long as the positions of the primary are kept. */
export const LONGEST_LAG_MS = 60_000
