import { invoiceFlight } from '../../../src/shared/billing/invoices/invoice-flight.ts'
import { rampIn } from '../../../src/shared/dispatch/ramp-in.ts'
import { rampOut } from '../../../src/shared/dispatch/ramp-out.ts'
import type { Actor } from '../../../src/shared/platform/authz/actor.ts'
import { type Hundredths, hundredths, plus, ZERO } from '../../../src/shared/platform/kernel/units.ts'
import { addDays, localDate, wallToInstant } from '../../../src/shared/platform/kernel/zones.ts'
import { lockReservation } from '../../../src/shared/scheduling/reservations/reservation.access.ts'
import type { SeatInput } from '../../../src/shared/scheduling/rules/booking-input.types.ts'
import { bringBack } from '../../../src/shared/workflows/bring-back.ts'
import { cancelReservation } from '../../../src/shared/workflows/cancel-reservation.ts'
import { changeBooking } from '../../../src/shared/workflows/change-booking.ts'
import { markCancelled } from '../../../src/shared/workflows/mark-cancelled.ts'
import { restoreReservation } from '../../../src/shared/workflows/restore-reservation.ts'
import { signFlight } from '../../../src/shared/workflows/sign-flight.ts'
import { workflowsErrors } from '../../../src/shared/workflows/workflows.errors.ts'
import { resources } from './fleet.ts'
import { type DemoSchool, ZONE } from './found-school.ts'
import { logFlight } from './log-flight.ts'
import { makeBooking } from './make-booking.ts'
import type { SchoolTransaction } from './school-transaction.ts'
import { type Enrollments, recordLesson } from './training.ts'
import { type DemoBooking, week } from './week.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Hundredths of an hour on the tach per tenth of an hour on the Hobbs meter: the tach counts slower. */
const TACH_PER_TENTH = 8.5

/** The meters of each resource after its latest flight. */
export type MeterMap = Map<string, Meters>

/**
 * Books the week around `now`, closes out past flights, and invoices those with `bill` when `invoices` is true. Returns
 * the ids of the invoices to pay.
 */
export async function fillWeek(
  school: SchoolTransaction,
  founded: DemoSchool,
  enrollments: Enrollments,
  { now, meters, invoices }: { now: Date; meters: MeterMap; invoices: boolean },
): Promise<number[]> {
  const toPay: number[] = []
  for (const booking of week) {
    const { id, slot } = await closeOut(school, founded, booking, { now, meters })
    await planLesson(school, founded, enrollments, booking, { id, slot, now })
    await recordLesson(school, founded, enrollments, booking, { id, end: slot.end })
    if (booking.outcome === 'cancelled') {
      const cancellation = { reason: 'Ceiling 600 feet, drizzle', category: 'weather' }
      await school.at(new Date(slot.start.getTime() - 2 * HOUR_MS), (tx) =>
        cancelReservation(tx, founded.actors.dana, id, cancellation),
      )
    }
    const [student] = booking.students ?? []
    if (booking.outcome === 'cancelled_late' && student) {
      const cancellation = { reason: 'Exam at college', category: 'student' }
      await school.at(new Date(now.getTime() - HOUR_MS / 2), (tx) =>
        cancelReservation(tx, founded.actors[student], id, cancellation),
      )
    }
    if (booking.bill && invoices) {
      const { invoiceIds } = await school.at(now, (tx) => invoiceFlight(tx, founded.actors.adam, id))
      if (booking.bill === 'paid') toPay.push(...invoiceIds)
    }
  }
  return toPay
}

/** Plans the lesson that a future booking names in its title; does nothing for a past booking or a title without a lesson. */
async function planLesson(
  school: SchoolTransaction,
  { actors }: DemoSchool,
  enrollments: Enrollments,
  { students: [student] = [], title }: DemoBooking,
  { id, slot, now }: { id: number; slot: Slot; now: Date },
): Promise<void> {
  const lessonId = student && enrollments.get(student)?.course.lessonIds.get(title)
  if (lessonId === undefined || slot.start < now) return
  await school.at(new Date(now.getTime() - HOUR_MS), (tx) => changeBooking(tx, actors.dana, id, { lessonId }))
}

/** Creates a booking and records its flight and signatures up to its outcome. Returns its id and time. */
export async function closeOut(
  school: SchoolTransaction,
  founded: DemoSchool,
  booking: DemoBooking,
  { now, meters }: { now: Date; meters: MeterMap },
): Promise<{ id: number; slot: Slot }> {
  const slot = slotOf(booking, now)
  const id = await book(school, founded, booking, slot, now)
  const crew = crewOf(founded, booking)
  // Who is put back leaves half an hour later.
  const flight = booking.noShow ? await putBack(school, founded, id, slot) : slot
  if (booking.outcome === 'out') await leave(school, id, crew[0]!, slot, run(meters, booking).out)
  if (booking.flown !== undefined) {
    await fly(school, id, crew[0]!, flight, run(meters, booking))
    await logFlight(school, founded, booking, { id, at: slot.end })
  }
  if (booking.flown !== undefined || booking.outcome === 'signed') {
    const signing = booking.outcome === 'half_signed' ? crew.slice(0, 1) : crew
    for (const actor of signing) {
      await school.at(slot.end, (tx) => signFlight(tx, actor, id, { briefing: null }))
    }
  }
  return { id, slot }
}

interface Slot {
  start: Date
  end: Date
}

function slotOf({ day, from, hours }: DemoBooking, now: Date): Slot {
  const [hour = 0, minute = 0] = from.split(':').map(Number)
  const start = wallToInstant(addDays(localDate(now, ZONE), day), hour * 60 + minute, ZONE)
  return { start, end: new Date(start.getTime() + hours * HOUR_MS) }
}

/**
 * Books as the dispatcher, or as the technician for maintenance, two days before the start or an hour ago, whichever is
 * earlier.
 */
async function book(school: SchoolTransaction, founded: DemoSchool, booking: DemoBooking, slot: Slot, now: Date) {
  const bookedAt = new Date(Math.min(slot.start.getTime() - 2 * DAY_MS, now.getTime() - HOUR_MS))
  const by = booking.type === 'maintenance' ? founded.actors.tom : founded.actors.dana
  return makeBooking(school, bookedAt, by, {
    title: booking.title,
    type: booking.type,
    ...slot,
    resourceId: founded.resourceIds[booking.on] ?? null,
    seats: seatsOf(founded, booking),
    passengers: booking.passengers ?? 0,
    ifr: booking.ifr ?? false,
    overrides: booking.override && [{ ...booking.override, orgUserId: null }],
  })
}

function seatsOf({ actors }: DemoSchool, { instructor, students = [], renter, guest }: DemoBooking): SeatInput[] {
  return [
    ...(instructor ? [{ side: 'instructors', index: 0, orgUserId: actors[instructor].orgUserId } as const] : []),
    ...students.map((key, index) => ({ side: 'students', index, orgUserId: actors[key].orgUserId }) as const),
    ...(renter ? [{ side: 'renters', index: 0, orgUserId: actors[renter].orgUserId } as const] : []),
    ...(guest ? [{ side: 'guests', index: 0, ...guest } as const] : []),
  ]
}

/**
 * Returns the instructor, the first student and the renter, those that the booking has. The first of them ramps the
 * aircraft out and in; each of them signs.
 */
function crewOf({ actors }: DemoSchool, { instructor, students = [], renter }: DemoBooking): Actor[] {
  return [instructor, students[0], renter].flatMap((key) => (key ? [actors[key]] : []))
}

interface Meters {
  hobbs: Hundredths
  tach: Hundredths | null
}

/** Returns the meters before and after a flight, in hundredths of an hour. Stores the latter in `meters`. */
function run(meters: MeterMap, { on, flown = 0 }: DemoBooking): { out: Meters; in: Meters } {
  const { hobbsTime, tachTime } = resources[on]
  const out = meters.get(on) ?? { hobbs: hobbsTime ?? ZERO, tach: tachTime ?? null }
  const after = {
    hobbs: plus(out.hobbs, hundredths(flown * 10)),
    tach: out.tach === null ? null : plus(out.tach, hundredths(Math.round(flown * TACH_PER_TENTH))),
  }
  meters.set(on, after)
  return { out, in: after }
}

async function fly(
  school: SchoolTransaction,
  id: number,
  actor: Actor,
  slot: Slot,
  meters: { out: Meters; in: Meters },
): Promise<void> {
  await leave(school, id, actor, slot, meters.out)
  await school.at(new Date(slot.end.getTime() - 10 * MINUTE_MS), (tx) =>
    rampIn(tx, actor, id, {
      hobbsTimeIn: meters.in.hobbs,
      tachTimeIn: meters.in.tach,
      briefing: null,
      confirmMeterAnomaly: false,
    }),
  )
}

/** Cancels a booking as a no-show half an hour after its start, and puts it back when its renter has come after all. Returns when the flight begins. */
async function putBack(school: SchoolTransaction, { actors }: DemoSchool, id: number, slot: Slot): Promise<Slot> {
  const { dana } = actors
  const { organizationId } = dana
  const after = (minutes: number) => new Date(slot.start.getTime() + minutes * MINUTE_MS)
  await school.at(after(30), async (tx) => {
    const { entity } = await lockReservation(tx, dana, id)
    const cancellation = { category: 'no_show', reason: workflowsErrors.nobodyCame() }
    await markCancelled(tx, { organizationId, orgUserId: null }, [entity], cancellation)
  })
  await school.at(after(34), (tx) => restoreReservation(tx, dana, id))
  return { ...slot, start: after(30) }
}

async function leave(school: SchoolTransaction, id: number, actor: Actor, { start }: Slot, out: Meters): Promise<void> {
  await school.at(new Date(start.getTime() + 10 * MINUTE_MS), (tx) =>
    rampOut(tx, actor, id, { hobbsTimeOut: out.hobbs, tachTimeOut: out.tach }, bringBack),
  )
}
