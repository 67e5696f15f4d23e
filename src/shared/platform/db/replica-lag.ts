import { LONGEST_LAG_MS } from '../config/config.ts'

/** A position in the log of PostgreSQL, in bytes. */
export type LogPosition = bigint

/** Returns a position by its text, as PostgreSQL writes it (`16/B374D848`); null for another text. */
export function parseLogPosition(text: string): LogPosition | null {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return high === undefined ? null : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** Where the log of the primary ended at an instant, in milliseconds of a monotonic clock. */
export interface PrimarySample {
  at: number
  position: LogPosition
}

/** Returns the samples with one more, without those that no setting of the lag asks for. */
export function withSample(samples: readonly PrimarySample[], sample: PrimarySample): PrimarySample[] {
  return [...samples.filter(({ at }) => sample.at - at <= LONGEST_LAG_MS), sample]
}

/**
 * Returns how far a replica that has replayed the log up to a position is behind at most, in milliseconds; null when it is further behind than
 * the samples reach. It has everything that was committed when the primary was at that position, so it is as old as the latest
 * sample that it has reached.
 */
export function lagOf(samples: readonly PrimarySample[], replayed: LogPosition, now: number): number | null {
  const reached = samples.findLast(({ position }) => position <= replayed)
  return reached ? now - reached.at : null
}
