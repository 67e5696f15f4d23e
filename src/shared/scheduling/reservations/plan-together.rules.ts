import type { BookingFacts, BusyTime, SeatFacts } from '../rules/booking-facts.types.ts'
import { trainingFlights } from '../rules/duty.rules.ts'
import { checksOf, judge } from '../rules/judge.rules.ts'
import type { Judgement } from '../rules/problems.ts'

/** A booking to move: the facts at each possible place, in order of preference. */
export interface Candidate {
  id: number
  choices: readonly BookingFacts[]
}

/**
 * The result for a booking: the index of the first place that is accepted, with its judgement; or null, with the judgement of
 * the first place.
 */
export interface Planned {
  choice: number | null
  judgement: Judgement
}

/**
 * Plans the move of several bookings together, in the given order. Each is checked as if the other moving bookings had left
 * their old places and those before it were at their new places. A refused booking stays at its old place, and the others are
 * checked again, until none is refused. Implements interface §Reservations, POST /reservations/bulk.
 */
export function planTogether(candidates: readonly Candidate[]): Map<number, Planned> {
  const planned = new Map<number, Planned>()
  let going = candidates
  for (;;) {
    const away = new Set(going.map(({ id }) => id))
    const placed: BookingFacts[] = []
    const refused = new Set<number>()
    for (const { id, choices } of going) {
      const outcome = firstAccepted(choices, away, placed)
      planned.set(id, outcome)
      if (outcome.choice === null) refused.add(id)
      else placed.push(choices[outcome.choice]!)
    }
    if (refused.size === 0) return planned
    going = going.filter(({ id }) => !refused.has(id))
  }
}

function firstAccepted(
  choices: readonly BookingFacts[],
  away: ReadonlySet<number>,
  placed: readonly BookingFacts[],
): Planned {
  const judged = choices.map((facts) => () => judge(amid(facts, away, placed), checksOf(facts)))
  let first: Judgement | undefined
  for (const [choice, ask] of judged.entries()) {
    const judgement = ask()
    if (judgement.problems.length === 0 && judgement.denied.length === 0) return { choice, judgement }
    first ??= judgement
  }
  return { choice: null, judgement: first! }
}

/** Returns the facts as if the bookings `away` had left their places; the same facts when none of them is among the busy times. */
export function without(facts: BookingFacts, away: ReadonlySet<number>): BookingFacts {
  const { resource, seats } = facts
  const busy = [resource?.taken ?? [], ...seats.flatMap(({ taken, training }) => [taken, training])]
  const isBusy = busy.some((times) => times.some(({ reservationId }) => away.has(reservationId ?? 0)))
  return isBusy ? amid(facts, away, []) : facts
}

/** Returns the facts as if the bookings `away` had left their places and the bookings `placed` had taken their new ones. */
function amid(facts: BookingFacts, away: ReadonlySet<number>, placed: readonly BookingFacts[]): BookingFacts {
  const stays = ({ reservationId }: BusyTime) => reservationId === null || !away.has(reservationId)
  const busy = (some: readonly BookingFacts[]) =>
    some.map(({ booking: { id, start, end } }) => ({ reservationId: id, start, end }))
  const { resource, seats } = facts
  const onResource = resource ? placed.filter((one) => one.resource?.id === resource.id) : []
  return {
    ...facts,
    resource: resource && { ...resource, taken: [...resource.taken.filter(stays), ...busy(onResource)] },
    seats: seats.map((seat) => {
      const theirs = placed.filter((one) => one.seats.some((other) => isSame(other, seat)))
      const training = theirs.filter(({ booking, seats: aboard }) => {
        const instructs = aboard.some((other) => other.side === 'instructors' && isSame(other, seat))
        return instructs && trainingFlights.includes(booking.type)
      })
      return {
        ...seat,
        taken: [...seat.taken.filter(stays), ...busy(theirs)],
        training: [...seat.training.filter(stays), ...busy(training)],
      }
    }),
  }
}

function isSame(one: SeatFacts, other: SeatFacts): boolean {
  return one.orgUserId === null
    ? one.guestId !== null && one.guestId === other.guestId
    : one.orgUserId === other.orgUserId
}
