import { hasAccountToAsk } from '../identity/members/member.access.ts'
import { type Actor, assertIs } from '../platform/authz/actor.ts'
import { deskStaff } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import type { Tenths } from '../platform/kernel/units.ts'
import { seal } from '../platform/seals/seal.ts'
import type { PayerAmount } from '../scheduling/reservations/booking-parts.types.ts'
import { decidesForPayers } from '../scheduling/reservations/payers.rules.ts'
import {
  assertTransition,
  type LockedReservation,
  lifecycleOf,
  lockReservation,
} from '../scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import { assertPlausible } from './ramp-in.ts'
import { bookedBriefing, confirmingSide, isSignedOff, measuredByBriefing } from './sign-off.rules.ts'

/** `briefing` in tenths of an hour. */
export interface Signing {
  briefing: Tenths | null
  confirmMeterAnomaly?: boolean | undefined
  onBehalfOf?: number | undefined
}

/**
 * Signs the figures of a flight for the caller's side; the last required signature signs the flight off. For a booking
 * measured by briefing it also stores the briefing: `input.briefing` in tenths, or the booked time when that is null.
 * `input.onBehalfOf` names a seated member without an account, for whom desk staff sign. After the sign-off, a payer who was notified
 * of a charge can still sign, or sign again: the invoices then no longer wait for this payer. `input.amountsOf` returns what each payer
 * owes for the booking; the signature agrees to no more.
 * Implements interface §Reservation lifecycle, trigger confirmReview.
 */
export async function confirmReview(
  tx: Tx,
  actor: Actor,
  id: number,
  input: Signing & { amountsOf(row: ReservationRow): PayerAmount[] },
): Promise<{ id: number }> {
  const row = await lockReservation(tx, actor, id)
  const byBriefing = measuredByBriefing(row.type, row.resource?.kind ?? null)
  const signer = input.onBehalfOf ?? actor.orgUserId
  if (input.onBehalfOf !== undefined) await assertConfirmsFor(tx, actor, row, input.onBehalfOf)
  const first = confirmingSide(row, signer)
  if (typeof first !== 'string' && first.status === 403) throw first
  const briefed = byBriefing && (row.briefing_tenths !== null || row.starts_at <= tx.now)
  const agrees = row.signed_off_at !== null && (await endsWait(tx, row, signer))
  assertTransition('confirmReview', row, { briefed, ...(agrees && { signedOffAt: null }) })
  const side = agrees ? confirmingSide({ ...row, confirmations: [] }, signer) : first
  if (typeof side !== 'string') throw side
  if (input.briefing !== null && !byBriefing) throw dispatchErrors.notByBriefing()
  if (byBriefing && row.briefing_tenths === null) {
    const isOdd = assertPlausible({ runs: [], briefing: input.briefing }, row, input.confirmMeterAnomaly ?? false)
    row.payers_sign = row.entity.payersSign = isOdd && !decidesForPayers(actor, row)
    row.briefing_tenths = row.entity.briefingTenths =
      input.briefing ?? bookedBriefing({ start: row.starts_at, end: row.ends_at })
  } else if (input.briefing !== null && input.briefing !== row.briefing_tenths) {
    throw dispatchErrors.briefingSet()
  }
  const signed = {
    confirmed_at: tx.now,
    recorded_by: signer === actor.orgUserId ? null : actor.orgUserId,
    amounts: JSON.stringify(input.amountsOf(row)) as never,
  }
  await tx.db
    .insertInto('confirmation')
    .values({ organization_id: actor.organizationId, reservation_id: id, membership_id: signer, side, ...signed })
    .onConflict((on) => on.columns(['reservation_id', 'membership_id']).doUpdateSet(signed))
    .execute()
  seal(tx, actor, 'reservation.confirmed', { id, of: signer })
  const confirmations = [...row.confirmations, { side, orgUserId: signer }]
  const behalf = input.onBehalfOf !== undefined && { onBehalfOf: input.onBehalfOf }
  const after = { side, ...behalf, ...(agrees && { agrees }) }
  emit(tx, actor, { kind: 'reservation.confirmed', subject: { kind: 'reservation', id }, after })
  if (!agrees && isSignedOff({ ...row, confirmations })) {
    row.entity.signedOffAt = tx.now
    seal(tx, actor, 'reservation.signed_off', { id, of: null })
    emit(tx, actor, { kind: 'reservation.signed_off', subject: { kind: 'reservation', id } })
  }
  return { id }
}

/**
 * Deletes the charge notice of a payer, so that the invoices no longer wait for this payer. Returns false when there is none, or when
 * the flight is invoiced.
 */
async function endsWait(tx: Tx, row: LockedReservation, orgUserId: number): Promise<boolean> {
  if (lifecycleOf(row).billed) return false
  const { numDeletedRows } = await tx.db
    .deleteFrom('charge_notice')
    .where('organization_id', '=', row.entity.organizationId)
    .where('reservation_id', '=', row.id)
    .where('membership_id', '=', orgUserId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Checks that the actor may sign for a member. The actor must be desk staff who are not on the booking and have not signed it before;
 * the member must be seated and have no account, or a deleted one. So one person cannot sign for both sides.
 */
async function assertConfirmsFor(tx: Tx, actor: Actor, row: ReservationRow, orgUserId: number): Promise<void> {
  const { seats, confirmations } = row
  assertIs(actor, deskStaff, dispatchErrors.behalfByDesk)
  const seated = (id: number) => seats.some((seat) => seat.orgUserId === id)
  if (seated(actor.orgUserId)) throw dispatchErrors.behalfByDesk()
  if (!seated(orgUserId)) throw dispatchErrors.behalfNotAboard()
  const ours = confirmations.some(({ recordedBy, orgUserId: signer }) => (recordedBy ?? signer) === actor.orgUserId)
  if (ours) throw dispatchErrors.behalfOfBothSides()
  if (await hasAccountToAsk(tx, actor.organizationId, orgUserId)) throw dispatchErrors.behalfOfAccount()
}
