import type { LogEntry, LogFigures } from '../../../src/shared/dispatch/flight-log.types.ts'
import { writeFlightLog } from '../../../src/shared/dispatch/write-flight-log.ts'
import { tenths, ZERO } from '../../../src/shared/platform/kernel/units.ts'
import type { DemoSchool } from './found-school.ts'
import type { PersonKey } from './people.ts'
import type { SchoolTransaction } from './school-transaction.ts'
import type { DemoBooking } from './week.ts'

const nothing: LogFigures = {
  pic: ZERO,
  solo: ZERO,
  dualReceived: ZERO,
  instruction: ZERO,
  crossCountry: ZERO,
  night: ZERO,
  actualInstrument: ZERO,
  simulatedInstrument: ZERO,
  simulator: ZERO,
  dayTakeoffs: 0,
  dayLandings: 0,
  dayFullStops: 0,
  nightTakeoffs: 0,
  nightLandings: 0,
  nightFullStops: 0,
  holds: 0,
  approaches: [],
  route: null,
  remarks: null,
}

/**
 * Writes the flight log of a flown booking, with one row per member. The writer is the instructor, else the renter,
 * else the student. Does nothing for ground lessons.
 */
export async function logFlight(
  school: SchoolTransaction,
  { actors }: DemoSchool,
  booking: DemoBooking,
  { id, at }: { id: number; at: Date },
): Promise<void> {
  const { instructor, students = [], renter } = booking
  const writer = instructor ?? renter ?? students[0]
  if (!writer || booking.type === 'ground') return
  const rows = [instructor, ...students, renter].flatMap((key): LogEntry[] =>
    key ? [{ ...nothing, orgUserId: actors[key].orgUserId, ...figuresOf(booking, key) }] : [],
  )
  await school.at(at, (tx) => writeFlightLog(tx, actors[writer], id, { rows, reason: null }))
}

/** Samir is a private pilot who trains for the instrument rating, so he logs PIC in training: 14 CFR 61.51(e)(1)(i). */
const rated: readonly PersonKey[] = ['samir']

function figuresOf({ type, title, flown = 0, ...booking }: DemoBooking, key: PersonKey): Partial<LogFigures> {
  const time = tenths(flown)
  if (type === 'sim') return { simulator: time }
  const landings = { dayTakeoffs: 3, dayLandings: 3, dayFullStops: 1 }
  if (key === booking.instructor) return { pic: time, instruction: time }
  if (type === 'solo') return { ...landings, solo: time, pic: time }
  if (type === 'rental') return { pic: time, crossCountry: time, dayTakeoffs: 2, dayLandings: 2, dayFullStops: 2 }
  if (rated.includes(key)) return { dualReceived: time, pic: time, ...oneLanding, ...underTheHood(title, flown - 3) }
  return { ...landings, dualReceived: time, ...(/instruments/.test(title) && underTheHood(title, 3)) }
}

const oneLanding = { dayTakeoffs: 1, dayLandings: 1, dayFullStops: 1 }

/** Returns simulated instrument time (tenths of an hour), with the approaches and holds that the lesson's title names. */
function underTheHood(title: string, time: number): Partial<LogFigures> {
  const kind = title.startsWith('ILS') ? 'ILS 28R' : 'RNAV 28L'
  return {
    simulatedInstrument: tenths(time),
    ...(/approaches/i.test(title) && { approaches: [{ kind, count: 3, airport: 'KHWD' }] }),
    ...(/holding/i.test(title) && { holds: 2 }),
  }
}
