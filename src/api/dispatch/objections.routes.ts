import { z } from 'zod'
import { dispatchErrors } from '../../shared/dispatch/dispatch.errors.ts'
import { closeObjections, objectToCorrection } from '../../shared/dispatch/write-objection.ts'
import type { Actor } from '../../shared/platform/authz/actor.ts'
import type { Db } from '../../shared/platform/db/database.ts'
import { findFlight } from '../../shared/scheduling/reservations/reservation.queries.ts'
import { schedulingErrors } from '../../shared/scheduling/scheduling.errors.ts'
import { ok } from '../http/answers.ts'
import type { Routes } from '../http/endpoint.ts'
import { envelope, Id, IdParams, note } from '../http/schemas.ts'
import { Correction, correctionView } from '../scheduling/reservations/correction.view.ts'
import { ReopenBody } from './close-out.schemas.ts'

const tag = 'Close-out'
const answers = { 200: envelope(Correction) }

const ObjectionBody = z.object({
  note: note(1000),
  onBehalfOf: Id.optional().describe('A former member, or one without an account, for whom desk staff object'),
})

/** The endpoints of objections to a correction. Implements interface §Reservations, correct. */
export const objectionRoutes: Routes = (on) => {
  on.post('/reservations/:id/objections', {
    id: 'objectToCorrection',
    access: 'member',
    tag,
    summary: 'Object to a correction',
    description:
      'Objects to the last correction of a signed flight, within 7 days. Allowed once for everyone on the flight and ' +
      'for the payers of its invoices. The figures stay; the objection is a task of admins and stands in ' +
      '`correctedAfterSigning`.',
    params: IdParams,
    body: ObjectionBody,
    answers,
    errors: [
      schedulingErrors.noSuchBooking,
      dispatchErrors.correctionOfOthers,
      dispatchErrors.behalfByDesk,
      dispatchErrors.behalfNotAboard,
      dispatchErrors.behalfOfAccount,
      dispatchErrors.behalfOfErased,
      dispatchErrors.notCorrected,
      dispatchErrors.objectedTooLate,
      dispatchErrors.objectedAlready,
    ],
    write: (tx, { actor, params, body }) => objectToCorrection(tx, actor, params.id, body),
    answer: async ({ id }, { db, actor }) => ok(await viewCorrection(db, actor, id)),
  })

  on.post('/reservations/:id/objections/close', {
    id: 'closeObjections',
    access: 'member',
    tag,
    summary: 'Close the objections to a correction',
    description:
      'An admin who is not on the flight, does not pay for it and did not correct it (unless no other admin can) closes all ' +
      'objections; others withdraw their own. ' +
      'Reopening the flight closes them too.',
    params: IdParams,
    body: ReopenBody,
    answers,
    errors: [schedulingErrors.noSuchBooking, dispatchErrors.objectionOfOthers, dispatchErrors.noObjection],
    write: (tx, { actor, params, body }) => closeObjections(tx, actor, params.id, body.reason),
    answer: async ({ id }, { db, actor }) => ok(await viewCorrection(db, actor, id)),
  })
}

async function viewCorrection(db: Db, actor: Actor, id: number) {
  const row = await findFlight(db, actor.organizationId, id)
  const correction = row && correctionView(row, actor)
  if (!correction) throw dispatchErrors.notCorrected()
  return correction
}
