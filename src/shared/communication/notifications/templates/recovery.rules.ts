import type { Message } from './message.rules.ts'

/** A plan whose cause no record bears. */
export interface AssertedRecovery {
  id: number
  by: string
  /** The cause in words. */
  cause: string
  displaced: number
}

/** Returns the message to owners, and to the instructors whom it names, about a plan whose cause no record bears. */
export function recoveryAsserted({ id, by, cause, displaced }: AssertedRecovery): Message {
  const text = `${by} planned other places for ${bookingsOf(displaced)}. ${cause} No record says so.`
  return {
    title: 'A recovery whose cause is not on record',
    body: text,
    data: { operationId: id },
    mail: { paragraphs: [text], action: null },
  }
}

/** A plan that was applied to many. */
export interface LargeRecovery {
  id: number
  by: string
  bookings: number
  /** The people whose consent the desk recorded. */
  given: number
}

/** Returns the message to owners about a recovery that was applied to many bookings, or with the recorded consent of many people. */
export function recoveryLarge({ id, by, bookings, given }: LargeRecovery): Message {
  const consent = given === 0 ? [] : [`The consent of ${given} of their people was recorded by the desk.`]
  const text = [`${by} moved or cancelled ${bookingsOf(bookings)} by a recovery.`, ...consent].join(' ')
  return {
    title: 'A recovery of many bookings',
    body: text,
    data: { operationId: id },
    mail: { paragraphs: [text], action: null },
  }
}

function bookingsOf(count: number): string {
  return count === 1 ? '1 booking' : `${count} bookings`
}
