import {
  type ReservationType,
  type ResourceKind,
  type Side,
  typeRules,
} from '../fleet/resources/reservation-types.rules.ts'
import type { RoleFlags } from '../platform/authz/roles.ts'
import type { AppError } from '../platform/kernel/errors.ts'
import { formatReading, tenthsBetween } from '../platform/kernel/hours.ts'
import type { Interval } from '../platform/kernel/instants.ts'
import type { Hundredths, Tenths } from '../platform/kernel/units.ts'
import type { CloseOutFigures } from '../scheduling/reservations/booking-parts.types.ts'
import { dispatchErrors } from './dispatch.errors.ts'

/** The seats of a booking and the signatures so far. */
export interface SignOffFacts {
  type: ReservationType
  seats: readonly { side: Side; orgUserId: number | null }[]
  confirmations: readonly { side: Side; orgUserId: number }[]
  /** Whether every member on the side that pays must sign, instead of one of them. */
  payers_sign: boolean
}

/** The types that need the signatures of both sides when an instructor is on board. */
const twoSided: readonly ReservationType[] = ['dual', 'ground', 'sim', 'rental']

/**
 * Returns the sides that must sign. Without an instructor: the other side. With an instructor: both sides for a dual, ground, sim or
 * rental, otherwise only the instructor's side. A side without members is left out (guests have no account). None for maintenance,
 * which has no close-out.
 * Implements interface §Reservations rule 9.
 */
export function sidesToConfirm({ type, seats }: Pick<SignOffFacts, 'type' | 'seats'>): Side[] {
  const sides = [...new Set(seats.filter((seat) => seat.orgUserId !== null).map((seat) => seat.side))]
  const others = sides.filter((side) => side !== 'instructors')
  const instructor: Side[] = sides.includes('instructors') ? ['instructors'] : []
  if (instructor.length === 0) return others
  return twoSided.includes(type) ? [...instructor, ...others] : instructor
}

/**
 * Returns the sides that have not signed yet. One member signs for a side; with `payers_sign`, every member on the side that pays
 * must sign.
 * Implements interface §Reservations rule 9.
 */
export function sidesOutstanding(facts: SignOffFacts): Side[] {
  const { type, seats, confirmations, payers_sign } = facts
  const signed = (seat: { orgUserId: number | null }) => confirmations.some((one) => one.orgUserId === seat.orgUserId)
  return sidesToConfirm(facts).filter((side) => {
    if (!confirmations.some((one) => one.side === side)) return true
    const members = seats.filter((seat) => seat.side === side && seat.orgUserId !== null)
    return payers_sign && side === typeRules[type].pays && !members.every(signed)
  })
}

/**
 * Returns whether every side that must sign has signed; false when nobody must sign.
 * Implements interface §Reservation lifecycle, trigger confirmReview.
 */
export function isSignedOff(facts: SignOffFacts): boolean {
  return sidesToConfirm(facts).length > 0 && sidesOutstanding(facts).length === 0
}

/**
 * Returns the side that a member signs for, or the error: only seated members sign, staff included, each once, and only
 * for a side that must sign.
 * Implements interface §Reservations, confirmReview.
 */
export function confirmingSide(facts: Omit<SignOffFacts, 'payers_sign'>, orgUserId: number): Side | AppError {
  const seat = facts.seats.find((one) => one.orgUserId === orgUserId)
  if (!seat) return dispatchErrors.confirmForParties()
  if (facts.confirmations.some((one) => one.orgUserId === orgUserId)) {
    return dispatchErrors.confirmedAlready()
  }
  return sidesToConfirm(facts).includes(seat.side) ? seat.side : dispatchErrors.nothingForYouToConfirm()
}

/**
 * Returns whether the member may reopen a close-out and clear other people's signatures: owners, admins, dispatchers
 * and the booking's instructor.
 * Implements interface §Reservations rule 7.
 */
export function hasCloseOutAuthority(roles: RoleFlags, orgUserId: number, seats: SignOffFacts['seats']): boolean {
  const teaches = seats.some((seat) => seat.side === 'instructors' && seat.orgUserId === orgUserId)
  return roles.owner || roles.admin || roles.dispatcher || teaches
}

/**
 * Returns whether a correction by this member may clear the signatures: all are the member's own, or
 * `hasCloseOutAuthority`.
 * Implements interface §Reservations rule 7.
 */
export function mayClearSignatures(
  facts: Omit<SignOffFacts, 'payers_sign'>,
  roles: RoleFlags,
  orgUserId: number,
): boolean {
  return (
    facts.confirmations.every((one) => one.orgUserId === orgUserId) ||
    hasCloseOutAuthority(roles, orgUserId, facts.seats)
  )
}

/**
 * Returns whether a booking has a briefing instead of meters: ground lessons, and sim lessons without a simulator.
 * Implements interface §Reservation, `briefing`.
 */
export function measuredByBriefing(type: ReservationType, resource: ResourceKind | null): boolean {
  return type === 'ground' || (type === 'sim' && resource === null)
}

/**
 * Returns the default briefing: the booked time in tenths of an hour. Implements interface §Reservation, `briefing`.
 */
export function bookedBriefing(booked: Interval): Tenths {
  return tenthsBetween(booked.start, booked.end)
}

/** The figures that a signature confirms. */
interface SignedFigures {
  hobbs_out: Hundredths | null
  hobbs_in: Hundredths | null
  tach_out: Hundredths | null
  tach_in: Hundredths | null
  briefing_tenths: Tenths | null
}

/** Returns the figures of a close-out as text: "Hobbs 1200.00 to 1201.40 · tach 1100.00 to 1101.10 · 0.3 h of briefing". */
export function figuresInWords(figures: SignedFigures): string {
  const span = (meter: string, out: Hundredths | null, back: Hundredths | null) =>
    out === null || back === null ? [] : [`${meter} ${formatReading(out)} to ${formatReading(back)}`]
  const { briefing_tenths: briefing } = figures
  return [
    ...span('Hobbs', figures.hobbs_out, figures.hobbs_in),
    ...span('tach', figures.tach_out, figures.tach_in),
    ...(briefing === null ? [] : [`${(briefing / 10).toFixed(1)} h of briefing`]),
  ].join(' · ')
}

/** Returns the figures of a correction as text, as `figuresInWords` does. */
export function closeOutInWords({
  hobbsTimeOut,
  hobbsTimeIn,
  tachTimeOut,
  tachTimeIn,
  briefing,
}: CloseOutFigures): string {
  return figuresInWords({
    hobbs_out: hobbsTimeOut,
    hobbs_in: hobbsTimeIn,
    tach_out: tachTimeOut,
    tach_in: tachTimeIn,
    briefing_tenths: briefing,
  })
}
