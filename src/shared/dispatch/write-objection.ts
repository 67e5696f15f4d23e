import { lockFormerOrPresent } from '../identity/members/member.access.ts'
import { type Actor, assertIs, is } from '../platform/authz/actor.ts'
import { admins, deskStaff } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { lockReservation } from '../scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { isConcerned, isJudgeOfOwn } from './correction.access.ts'
import { dispatchErrors } from './dispatch.errors.ts'

/** For this many days after a correction, those whom it concerns can object to it. */
const OBJECTED_WITHIN_DAYS = 7
const DAY_MS = 86_400_000

/** Returns the last instant for objections to a correction. */
export function objectionsEnd(correctedAt: Date): Date {
  return new Date(correctedAt.getTime() + OBJECTED_WITHIN_DAYS * DAY_MS)
}

/**
 * Records an objection to the last correction of a flight whose signatures stand: by somebody on the flight or a payer of one of its
 * invoices, or by desk staff in the name of one of these who has no account or has left (`onBehalfOf`). The figures stay; admins get a task.
 * Implements interface §Reservations, correct.
 * @throws Forbidden when the correction does not concern the actor.
 */
export async function objectToCorrection(
  tx: Tx,
  actor: Actor,
  id: number,
  { note, onBehalfOf }: { note: string; onBehalfOf?: number | undefined },
): Promise<{ id: number }> {
  const row = await lockReservation(tx, actor, id)
  if (onBehalfOf !== undefined) await assertObjectsFor(tx, actor, row, onBehalfOf)
  else if (!isConcerned(row, actor.orgUserId)) throw dispatchErrors.correctionOfOthers()
  if (row.corrected_at === null) throw dispatchErrors.notCorrected()
  if (tx.now > objectionsEnd(row.corrected_at)) {
    throw dispatchErrors.objectedTooLate({ days: OBJECTED_WITHIN_DAYS })
  }
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('correction_objection')
    .values({
      organization_id: actor.organizationId,
      reservation_id: id,
      correction: row.corrections,
      membership_id: onBehalfOf ?? actor.orgUserId,
      recorded_by: onBehalfOf === undefined ? null : actor.orgUserId,
      note,
      objected_at: tx.now,
    })
    .onConflict((on) => on.columns(['organization_id', 'reservation_id', 'correction', 'membership_id']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) throw dispatchErrors.objectedAlready()
  const subject = { kind: 'reservation', id } as const
  emit(tx, actor, { kind: 'reservation.objected', subject, after: { onBehalfOf: onBehalfOf ?? null }, reason: note })
  return { id }
}

/**
 * Closes the open objections to the correction of a flight: all of them by an admin whom the correction does not concern and who did not
 * make it, unless there is no other admin; their own by others. They stay beside the correction, with the reason.
 * Implements interface §Reservations, correct.
 */
export async function closeObjections(tx: Tx, actor: Actor, id: number, reason: string): Promise<{ id: number }> {
  const row = await lockReservation(tx, actor, id)
  const decides = is(actor, admins) && !isConcerned(row, actor.orgUserId) && !(await isJudgeOfOwn(tx, actor, row))
  const theirs = row.objections.filter(({ orgUserId }) => decides || orgUserId === actor.orgUserId)
  if (!decides && theirs.length === 0) throw dispatchErrors.objectionOfOthers()
  const orgUserIds = theirs.flatMap(({ orgUserId, closedAt }) => (closedAt === null ? [orgUserId] : []))
  if (orgUserIds.length === 0) throw dispatchErrors.noObjection()
  await tx.db
    .updateTable('correction_objection')
    .set({ closed_at: tx.now, closed_by: actor.orgUserId, closing_reason: reason })
    .where('organization_id', '=', actor.organizationId)
    .where('reservation_id', '=', id)
    .where('membership_id', 'in', orgUserIds)
    .where('closed_at', 'is', null)
    .execute()
  const subject = { kind: 'reservation', id } as const
  emit(tx, actor, { kind: 'reservation.objections_closed', subject, after: { orgUserIds }, reason })
  return { id }
}

/**
 * Checks that the actor may object for a member: desk staff whom the correction does not concern, for one who has no account or is no
 * member any more, and whose facts are not erased.
 */
async function assertObjectsFor(tx: Tx, actor: Actor, row: ReservationRow, orgUserId: number): Promise<void> {
  assertIs(actor, deskStaff, dispatchErrors.behalfByDesk)
  if (isConcerned(row, actor.orgUserId)) throw dispatchErrors.behalfByDesk()
  if (!isConcerned(row, orgUserId)) throw dispatchErrors.behalfNotAboard()
  const { accountId, removedAt, erasedAt } = await lockFormerOrPresent(tx, actor.organizationId, orgUserId)
  if (erasedAt != null) throw dispatchErrors.behalfOfErased()
  if (accountId != null && removedAt == null) throw dispatchErrors.behalfOfAccount()
}
