import { multiplyRate } from '../../platform/kernel/money.ts'
import { type Cents, cents, type Hundredths, type Tenths, tenths } from '../../platform/kernel/units.ts'
import { addDays } from '../../platform/kernel/zones.ts'

/** The weeks before now whose lessons are the pace. */
export const PACE_WEEKS = 8
/** The days before now whose flights are the price. */
export const PRICED_DAYS = 180
/** Own lessons and own flown time from which on own figures count. */
const OWN_LESSONS = 5
const OWN_HUNDREDTHS = 500
/** The fewest other students whose figures are shown together (S116). */
const FEWEST_OTHERS = 5
/** The furthest day of a finish, in days from now (S116). */
const FURTHEST_DAYS = 1_826

/** A flight of the student: its flown time, and what its invoices charge for it, without taxes and before packages. */
export interface PricedFlight {
  orgUserId: number
  hundredths: Hundredths
  cents: Cents
}

/** What is known of an enrollment and of the other students of its course. `today` is the local day. */
export interface OutlookFacts {
  today: string
  /** Whether the enrollment is open. */
  isOpen: boolean
  lessonsLeft: number
  /** The planned flight time of the lessons left. */
  plannedLeft: Tenths
  /** The largest rest of a requirement in hours that is flown. */
  requirementLeft: Tenths
  /** The lessons that the student completed in each of the last 8 weeks. */
  ownWeeks: readonly number[]
  /** The same of each other student who completed a lesson in that time. */
  otherWeeks: readonly (readonly number[])[]
  /** The flown and the planned time of the completed lessons of the other students, and how many students these are. */
  others: { flown: Tenths; planned: Tenths; students: number }
  ownFlights: readonly PricedFlight[]
  otherFlights: readonly PricedFlight[]
}

/** When a student finishes and what it costs, as arithmetic of what was: no promise. What is not known is null. */
export interface Outlook {
  lessonsLeft: number
  deciHoursLeft: Tenths
  pace: { lessonsPerWeek: [low: number, middle: number, high: number] } | null
  finish: { earliest: string | null; likely: string | null; latest: string | null }
  cost: { likelyCents: Cents; highCents: Cents } | null
  basis: 'own' | 'course' | 'none'
  /** The lessons of the student, or the other students, that the pace is of. */
  sample: number
}

/** Returns the outlook of an enrollment. Implements interface §33.2 and S116. */
export function outlookOf(facts: OutlookFacts): Outlook {
  const { today, isOpen, lessonsLeft } = facts
  const { quarters, basis, sample } = paceOf(facts)
  const finishAt = (pace: number | undefined) => (isOpen && pace ? dayAt(today, lessonsLeft, pace) : null)
  const [low, middle, high] = quarters ?? []
  const deciHoursLeft = hoursLeft(facts)
  return {
    lessonsLeft,
    deciHoursLeft,
    pace: quarters && { lessonsPerWeek: [quarters[0] / 4, quarters[1] / 4, quarters[2] / 4] },
    finish: { earliest: finishAt(high), likely: finishAt(middle), latest: finishAt(low) },
    cost: costOf(facts, deciHoursLeft),
    basis,
    sample,
  }
}

/** Returns the quartiles of lessons per week in quarters of a lesson: own ones from 5 lessons on, else those of at least 5 others. */
function paceOf({ ownWeeks, otherWeeks }: OutlookFacts) {
  const own = ownWeeks.reduce((sum, lessons) => sum + lessons, 0)
  if (own >= OWN_LESSONS) return { quarters: quartiles(ownWeeks), basis: 'own', sample: own } as const
  if (otherWeeks.length < FEWEST_OTHERS) return { quarters: null, basis: 'none', sample: 0 } as const
  return { quarters: quartiles(otherWeeks.flat()), basis: 'course', sample: otherWeeks.length } as const
}

/** Returns the three quartiles of whole numbers in quarters, each interpolated between its neighbours as spreadsheets do. */
function quartiles(values: readonly number[]): [number, number, number] {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (quarter: number) => {
    const place = (sorted.length - 1) * quarter
    const [below, above] = [sorted[Math.floor(place / 4)]!, sorted[Math.ceil(place / 4)]!]
    return below * 4 + (above - below) * (place % 4)
  }
  return [at(1), at(2), at(3)]
}

/** Returns the day on which the lessons left are done at a pace in quarters of a lesson per week; null when that is too far away. */
function dayAt(today: string, lessons: number, quarters: number): string | null {
  const days = Math.ceil((lessons * 7 * 4) / quarters)
  return days > FURTHEST_DAYS ? null : addDays(today, days)
}

/** Returns the larger of what the requirements leave and the plan of the lessons left, at the flown-to-planned ratio of the other students. */
function hoursLeft({ plannedLeft, requirementLeft, others }: OutlookFacts): Tenths {
  const { flown, planned, students } = others
  const known = students >= FEWEST_OTHERS && planned > 0
  const byPlan = known ? Math.ceil((plannedLeft * flown) / planned) : plannedLeft
  return tenths(Math.max(0, byPlan, requirementLeft))
}

/**
 * Returns the cost of the hours left: likely at the average price of a flown hour, high at the upper quartile of the prices of the flights,
 * if that is more. From 5 flown hours on the student's own flights count, else those of at least 5 others.
 */
function costOf({ ownFlights, otherFlights }: OutlookFacts, left: Tenths): Outlook['cost'] {
  const flown = ownFlights.reduce((sum, { hundredths }) => sum + hundredths, 0)
  const others = new Set(otherFlights.map(({ orgUserId }) => orgUserId)).size
  if (flown < OWN_HUNDREDTHS && others < FEWEST_OTHERS) return null
  const flights = flown < OWN_HUNDREDTHS ? otherFlights : ownFlights
  const total = (of: (flight: PricedFlight) => number) => flights.reduce((sum, flight) => sum + of(flight), 0)
  const average = hourly({ cents: total((one) => one.cents), hundredths: total((one) => one.hundredths) })
  const [, , upper] = quartiles(flights.map(hourly))
  const high = Math.max(average, Math.round(upper / 4))
  return { likelyCents: multiplyRate(left, cents(average)), highCents: multiplyRate(left, cents(high)) }
}

/** Returns a price in cents per hour, rounded half up. */
function hourly({ cents: price, hundredths }: { cents: number; hundredths: number }): number {
  return Math.max(0, Math.round((price * 100) / hundredths))
}
