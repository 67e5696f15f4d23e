import { localDate } from '../../platform/kernel/zones.ts'

const [USUAL, SOLO, BEFORE_A_TEST, LONG_AGO] = [100, 150, 300, 30]
const [OTHER_START, EACH_HOUR, OTHER_DAY, OTHER_INSTRUCTOR, OTHER_MODEL] = [10, 1, 15, 20, 5]
const HOUR_MS = 3_600_000

/** What decides how much it is worth to keep a booking. */
export interface Worth {
  /** A stage check is planned on it, or a practical test within 14 days. */
  beforeTest: boolean
  solo: boolean
  /** A student or renter leads it who has not flown for 10 days, or never. */
  longAgo: boolean
}

/** Returns the points of a booking that keeps its place. Implements interface §Recovery. */
export function worthOf({ beforeTest, solo, longAgo }: Worth): number {
  const kept = beforeTest ? BEFORE_A_TEST : solo ? SOLO : USUAL
  return kept + (longAgo ? LONG_AGO : 0)
}

/** How a place differs from that of the booking. */
export interface Difference {
  from: Date
  to: Date
  otherInstructor: boolean
  otherModel: boolean
}

/** Returns the points that a place costs; each begun hour between the starts counts. Implements interface §Recovery. */
export function costOf({ from, to, otherInstructor, otherModel }: Difference, zone: string): number {
  const apart = Math.abs(to.getTime() - from.getTime())
  const hours = Math.ceil(apart / HOUR_MS)
  const day = localDate(from, zone) === localDate(to, zone) ? 0 : OTHER_DAY
  const time = apart === 0 ? 0 : OTHER_START + hours * EACH_HOUR + day
  return time + (otherInstructor ? OTHER_INSTRUCTOR : 0) + (otherModel ? OTHER_MODEL : 0)
}
