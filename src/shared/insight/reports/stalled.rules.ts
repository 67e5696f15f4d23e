import { addDays, localDate } from '../../platform/kernel/zones.ts'

/** The records of a lesson without a passing grade from which on the lesson counts as repeating. */
const REPEATED = 3
/** The cancelled bookings from which on cancellations are the cause. */
const CANCELLED = 2

/** A request that removes a cause. */
export interface StalledAction {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  path: string
}

/** Why a student is stalled: the cause, the local day of the fact that it rests on (null: not known), and what removes it. */
export interface Stall {
  cause: string
  since: string | null
  action: StalledAction
}

/** Whose signature a record waits for; `nobody`: a student without an account, whom an invitation lets sign. */
export type Signer = 'instructor' | 'student' | 'nobody'

/** What is known of an open enrollment without a recently completed lesson. Days are local days, YYYY-MM-DD. */
export interface StalledFacts {
  enrollmentId: number
  orgUserId: number
  /** Whose ledger pays for the student: the bill-to payer's, otherwise their own. */
  payerId: number
  /** The day of the last completed lesson, or of the enrolment. */
  lastOn: string
  /** The first lesson that is not completed; null: all are. */
  nextLesson: { isSolo: boolean } | null
  testPlanned: boolean
  /** The last day of the medical; null: none on record. `unknown`: one on record does not say when it ends. */
  medicalUntil: string | 'unknown' | null
  /** The medical currency of the school; null: it has none. */
  medicalCurrencyId: number | null
  /** The last instant of the endorsements for solo flight; null: the student has none, or one without an end. */
  soloUntil: Date | null
  /** An invoice to the student, or to the bill-to payer for them. */
  overdueInvoice: { id: number; dueAt: Date } | null
  /** Whether the ledger is below the least balance that the school blocks bookings for; `at` is when it fell below, when that is told. */
  short: { at: Date | null } | null
  booked: boolean
  /** The end of the last booking; null: the student had none. */
  lastBookedAt: Date | null
  /** The bookings that were cancelled in the time that the report looks back. */
  cancelled: readonly { category: string; at: Date }[]
  /** A lesson with three records and without a passing grade, and the instant of the third record. */
  repeating: { lessonId: number; records: number; at: Date } | null
  /** Whether the enrollment's instructor left, or is no instructor any more; `at` is when they left. */
  instructorGone: { at: Date | null } | null
  /** The record that waits longest for a signature, of those that wait for more than three days; last those that nobody can sign now. */
  unsigned: { recordId: number; at: Date; by: Signer } | null
}

interface Present {
  now: Date
  zone: string
}

/**
 * Returns the first cause that fits, with one action. Implements interface §33.1.
 */
export function stallOf(facts: StalledFacts, present: Present): Stall {
  for (const causeOf of causes) {
    const found = causeOf(facts, present)
    if (found) return found
  }
  return {
    cause: 'silence',
    since: facts.lastOn,
    action: { method: 'GET', path: `/orgUsers/${facts.orgUserId}` },
  }
}

type Cause = (facts: StalledFacts, present: Present) => Stall | null

const causes: readonly Cause[] = [
  medical,
  endorsementEnded,
  balance,
  noBooking,
  cancelled,
  repeating,
  instructorGone,
  waitingForSignature,
  waitingForTest,
]

function medical(facts: StalledFacts, { now, zone }: Present): Stall | null {
  const { nextLesson, testPlanned, medicalUntil: until, medicalCurrencyId, orgUserId } = facts
  const needed = nextLesson?.isSolo || testPlanned
  if (!needed || until === 'unknown' || (until !== null && until >= localDate(now, zone))) return null
  const list = `/orgUsers/${orgUserId}/currencies`
  return {
    cause: 'medical',
    since: until && addDays(until, 1),
    action:
      medicalCurrencyId === null
        ? { method: 'GET', path: list }
        : { method: 'PUT', path: `${list}/${medicalCurrencyId}` },
  }
}

function endorsementEnded({ nextLesson, soloUntil }: StalledFacts, { now, zone }: Present): Stall | null {
  if (!nextLesson?.isSolo || soloUntil === null || soloUntil > now) return null
  return {
    cause: 'endorsement_ended',
    since: localDate(soloUntil, zone),
    action: { method: 'POST', path: '/training/endorsements' },
  }
}

function balance({ overdueInvoice, short, payerId }: StalledFacts, { zone }: Present): Stall | null {
  if (overdueInvoice) {
    const { id, dueAt } = overdueInvoice
    const action = { method: 'POST', path: `/invoices/${id}/remind` } as const
    return { cause: 'balance', since: localDate(dueAt, zone), action }
  }
  if (!short) return null
  const action = { method: 'POST', path: `/orgUsers/${payerId}/ledger` } as const
  return { cause: 'balance', since: short.at && localDate(short.at, zone), action }
}

function noBooking({ booked, lastBookedAt, lastOn }: StalledFacts, { zone }: Present): Stall | null {
  if (booked) return null
  const since = lastBookedAt ? localDate(lastBookedAt, zone) : lastOn
  return { cause: 'no_booking', since, action: { method: 'POST', path: '/reservations' } }
}

/** Names the commonest category; of equally common ones, the one of the latest cancellation. */
function cancelled({ cancelled: all }: StalledFacts, { zone }: Present): Stall | null {
  if (all.length < CANCELLED) return null
  const latestFirst = all.toSorted((a, b) => b.at.getTime() - a.at.getTime())
  const [commonest] = [...Map.groupBy(latestFirst, ({ category }) => category)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )
  const [category, ofCategory] = commonest!
  return {
    cause: `cancelled:${category}`,
    since: localDate(ofCategory.at(-1)!.at, zone),
    action: { method: 'POST', path: '/waitlist' },
  }
}

function repeating({ repeating: lesson, enrollmentId }: StalledFacts, { zone }: Present): Stall | null {
  if (!lesson || lesson.records < REPEATED) return null
  return {
    cause: `repeating:${lesson.lessonId}`,
    since: localDate(lesson.at, zone),
    action: { method: 'GET', path: `/training/enrollments/${enrollmentId}` },
  }
}

function instructorGone({ instructorGone: gone, enrollmentId }: StalledFacts, { zone }: Present): Stall | null {
  if (!gone) return null
  return {
    cause: 'instructor_gone',
    since: gone.at && localDate(gone.at, zone),
    action: { method: 'PATCH', path: `/training/enrollments/${enrollmentId}` },
  }
}

function waitingForSignature({ unsigned }: StalledFacts, { zone }: Present): Stall | null {
  if (!unsigned) return null
  const { recordId, at, by } = unsigned
  const verb = by === 'student' ? 'countersign' : 'sign'
  const path = by === 'nobody' ? '/organizations/invite' : `/training/records/${recordId}/${verb}`
  return { cause: 'waiting_for_signature', since: localDate(at, zone), action: { method: 'POST', path } }
}

function waitingForTest({ nextLesson, lastOn, enrollmentId }: StalledFacts): Stall | null {
  if (nextLesson) return null
  const action = { method: 'PATCH', path: `/training/enrollments/${enrollmentId}` } as const
  return { cause: 'waiting_for_test', since: lastOn, action }
}

/** Which causes a reader is told: those about papers, and those about money. */
export interface ToldCauses {
  papers: boolean
  money: boolean
}

/** Returns the cause as a reader is told it: about papers and money, others only learn that it is one. Implements S115. */
export function toldStall(stall: Stall, told: ToldCauses, enrollmentId: number): Stall {
  const withheld = (cause: string): Stall => ({
    cause,
    since: null,
    action: { method: 'GET', path: `/training/enrollments/${enrollmentId}` },
  })
  const { cause } = stall
  if (cause === 'balance' && !told.money) return withheld('account_matter')
  if ((cause === 'medical' || cause === 'endorsement_ended') && !told.papers) return withheld('papers')
  return stall
}
