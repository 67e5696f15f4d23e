/** The types of booking that somebody can wait for: those of one person, with an instructor or without. */
export const waitingTypes = ['dual', 'solo', 'rental', 'sim'] as const
export type WaitingType = (typeof waitingTypes)[number]

/** The stored statuses of a waiting entry. One with an open offer is shown as `offered`. */
export const entryStatuses = ['waiting', 'booked', 'ended'] as const
export const shownStatuses = ['waiting', 'offered', 'booked', 'ended'] as const

/**
 * Why a waiting entry ended. `over`: its last window starts within the notice. `silent`: three offers in a row without an
 * answer. `flown`: the booking that it wanted to move was flown. `left`: its member left. `role_lost`: its member has no role
 * any more that sits on such a booking.
 */
export const endCauses = ['booked', 'deleted', 'flown', 'left', 'over', 'role_lost', 'silent'] as const
export type EndCause = (typeof endCauses)[number]

export const offerSources = ['waitlist', 'recovery'] as const
export const offerStatuses = ['open', 'accepted', 'declined', 'expired', 'withdrawn'] as const
export type OfferStatus = (typeof offerStatuses)[number]

/** How an offer was answered in somebody's name, or by the mailed link. */
export const answeredHow = ['phone', 'counter', 'message', 'link'] as const
export type AnsweredHow = (typeof answeredHow)[number]

/**
 * Why a waiting entry did not get a place. `order`: others came first. `limit`: the person has as many offers as allowed, or no
 * way to be told. `rule`: a rule about the person refuses it. `not_accepted`: another rule does.
 */
export const passCauses = ['limit', 'not_accepted', 'notice', 'order', 'rule'] as const
export type PassCause = (typeof passCauses)[number]

/**
 * Why an offer was withdrawn. `booked`: somebody else booked its place. `closed`: a closure covers it. `refused`: the rules of
 * booking refuse it by now, for what they say about its person. `impossible`: what it needs is no longer free. `instructor`: the
 * instructor declined it. `own_booking`: its person was booked over it. `role_lost`: its person has no role any more that
 * sits on such a booking.
 */
export const withdrawalCauses = [
  'booked',
  'closed',
  'entry_changed',
  'entry_ended',
  'impossible',
  'instructor',
  'left',
  'own_booking',
  'recovery_ended',
  'refused',
  'role_lost',
] as const
export type WithdrawalCause = (typeof withdrawalCauses)[number]

/** The causes as they are shown: to its person, `instructor` is `order`. */
export const shownWithdrawalCauses = [...withdrawalCauses, 'order'] as const
export type ShownWithdrawalCause = (typeof shownWithdrawalCauses)[number]

/**
 * Returns the cause of a withdrawal for the person to whom the place was offered: when an instructor declined, only that
 * others are asked.
 */
export function causeForPerson(cause: WithdrawalCause | null): ShownWithdrawalCause | null {
  return cause === 'instructor' ? 'order' : cause
}
