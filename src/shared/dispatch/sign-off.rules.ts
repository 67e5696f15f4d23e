import type { ReservationType, ResourceKind, Side } from '../fleet/resources/reservation-types.rules.ts'
import type { RoleFlags } from '../platform/authz/roles.ts'
import { type Tenths, tenthsBetween } from '../platform/kernel/hours.ts'
import type { Interval } from '../platform/kernel/instants.ts'
import type { Refusal } from '../scheduling/reservations/lifecycle.states.ts'

/** Who sits on the booking, and who of them has signed for which side. */
export interface SignOffFacts {
  type: ReservationType
  seats: readonly { side: Side; orgUserId: number | null }[]
  confirmations: readonly { side: Side; orgUserId: number }[]
}

/** The types where the instructor's side and the other side each sign, as soon as an instructor is aboard. */
const twoSided: readonly ReservationType[] = ['dual', 'ground', 'sim', 'rental']

/**
 * The sides that must sign: with an instructor aboard a dual, ground, sim or rental, the instructor's and the other;
 * otherwise the one side of members (a guest has no account to sign with). Maintenance has no close-out: none.
 */
export function sidesToConfirm({ type, seats }: Pick<SignOffFacts, 'type' | 'seats'>): Side[] {
  const sides = [...new Set(seats.filter((seat) => seat.orgUserId !== null).map((seat) => seat.side))]
  const others = sides.filter((side) => side !== 'instructors')
  const instructor: Side[] = sides.includes('instructors') ? ['instructors'] : []
  if (instructor.length === 0) return others
  return twoSided.includes(type) ? [...instructor, ...others] : instructor
}

/** The sides whose signature is still missing. */
export function sidesOutstanding(facts: SignOffFacts): Side[] {
  return sidesToConfirm(facts).filter((side) => !facts.confirmations.some((one) => one.side === side))
}

/** Whether every side that must sign has signed. Nothing is signed off where nobody signs. */
export function isSignedOff(facts: SignOffFacts): boolean {
  return sidesToConfirm(facts).length > 0 && sidesOutstanding(facts).length === 0
}

/** The side that a person signs for, or why they may not: only those seated confirm, staff included, and each once. */
export function confirmingSide(facts: SignOffFacts, orgUserId: number): Side | Refusal {
  const seat = facts.seats.find((one) => one.orgUserId === orgUserId)
  if (!seat) return { status: 403, message: 'Only those on the booking can confirm it.' }
  if (facts.confirmations.some((one) => one.orgUserId === orgUserId)) {
    return { status: 400, message: 'You have confirmed this booking already.' }
  }
  return seat.side
}

/** Admins, dispatchers and the booking's own instructor may reopen a close-out and clear other people's signatures. */
export function hasCloseOutAuthority(roles: RoleFlags, orgUserId: number, seats: SignOffFacts['seats']): boolean {
  const teaches = seats.some((seat) => seat.side === 'instructors' && seat.orgUserId === orgUserId)
  return roles.owner || roles.admin || roles.dispatcher || teaches
}

/** Whether a correction by this person may clear the signatures: they are all their own, or they have the authority. */
export function mayClearSignatures(facts: SignOffFacts, roles: RoleFlags, orgUserId: number): boolean {
  return (
    facts.confirmations.every((one) => one.orgUserId === orgUserId) ||
    hasCloseOutAuthority(roles, orgUserId, facts.seats)
  )
}

/** Whether a booking is measured by briefing alone, with no meters to ramp: ground lessons, and sims without a simulator. */
export function measuredByBriefing(type: ReservationType, resource: ResourceKind | null): boolean {
  return type === 'ground' || (type === 'sim' && resource === null)
}

/** The briefing of a booking that nobody gave one for: the booked time, to the tenth of an hour. */
export function bookedBriefing(booked: Interval): Tenths {
  return tenthsBetween(booked.start, booked.end)
}
