import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { is } from '../../../shared/platform/authz/actor.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { findOperation } from '../../../shared/platform/operations/operation.queries.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { endRecovery } from '../../../shared/scheduling/recoveries/end-recovery.ts'
import {
  findRecovery,
  findRecoveryRows,
  listRecoveries,
} from '../../../shared/scheduling/recoveries/recovery.queries.ts'
import { startRecovery } from '../../../shared/scheduling/recoveries/start-recovery.ts'
import { recoveryErrors } from '../../../shared/scheduling/recovery.errors.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { applyRecovery, givenHow } from '../../../shared/workflows/apply-recovery.ts'
import { findNextRecovery } from '../../../shared/workflows/find-next-recovery.ts'
import { workflowsErrors } from '../../../shared/workflows/workflows.errors.ts'
import { accepted, done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { listPage } from '../../http/lists.ts'
import { envelope, Id, IdParams } from '../../http/schemas.ts'
import { windowOf } from '../../http/windows.ts'
import { Operation, operationView } from '../../platform/operations/operation.view.ts'
import { CancellationInput } from '../reservations/cancellation.schemas.ts'
import { RecoveryBody, RecoveryQuery } from './recoveries.schemas.ts'
import { Recovery, RecoveryPlan, recoveryRowView, recoveryView, withoutPersons } from './recovery.view.ts'

const tag = 'Reservations'
const MOST_DAYS = 7
const MOST_ROWS = 200

const ApplyBody = z
  .object({
    reservationIds: z.array(Id).min(1).max(MOST_ROWS).optional().describe('Absent: all bookings of the plan'),
    consent: z
      .enum(['ask', 'given'])
      .default('ask')
      .describe(
        '`given`: everyone who has to agree has agreed; needs `reservationIds` and `how`. A plan with a maintenance booking ' +
          'needs it where somebody has to agree',
      ),
    how: z.enum(givenHow).optional().describe('How the people agreed'),
    cancelLeft: CancellationInput.optional().describe(
      'Cancels the bookings that are `left`; required for them by a plan with a maintenance booking. In a category that never ' +
        'costs: weather, maintenance, instructor or administrative',
    ),
  })
  .refine(({ consent, reservationIds }) => consent === 'ask' || reservationIds !== undefined, {
    path: ['reservationIds'],
    message: fieldErrors.required(),
  })
  .refine(({ consent, how }) => consent === 'ask' || how !== undefined, {
    path: ['how'],
    message: fieldErrors.required(),
  })

/** The endpoints of recoveries: another place for the bookings that a cause displaces. Implements interface §Recovery. */
export const recoveryRoutes: Routes = (on) => {
  on.post('/recoveries', {
    id: 'planRecovery',
    access: deskStaff,
    tag,
    rateLimit: { organization: 'recoveries' },
    summary: 'Plan other places for displaced bookings',
    description:
      'Proposes another place for each booking that a cause displaces, and changes none: a person applies the ' +
      'plan. More than 200 bookings are refused. Read the plan at `GET /recoveries/{id}` when the operation is ' +
      'done.\n\nThe plan with the most points is proposed. Points for keeping a booking: 100; a solo flight 150; a ' +
      'stage check, or a flight within 14 days before a practical test, 300; plus 30 when its student or renter ' +
      'has not flown for 10 days. Points subtracted: another start 10, plus 1 for each begun hour between both; ' +
      'another day 15; another instructor 20; another model 5.',
    body: RecoveryBody,
    answers: { 202: envelope(Operation) },
    errors: [
      fleetErrors.unknownResource,
      fleetErrors.unknownBooking,
      identityErrors.unknownMember,
      identityErrors.lacksRole,
      schedulingErrors.unknownClosure,
      recoveryErrors.causeOver,
      recoveryErrors.recoveryTooLarge,
      recoveryErrors.recoveryRunning,
      recoveryErrors.tooManyRecoveries,
      platformErrors.tooManyOperations,
    ],
    write: (tx, { actor, body: { cause, reach, ...window } }) =>
      startRecovery(tx, actor, { cause, reach, ...windowOf(window, actor, { mostDays: MOST_DAYS }) }),
    answer: async ({ id }, { db, actor }) =>
      accepted(operationView((await findOperation(db, { actor, kinds: ['recovery'] }, id))!)),
  })

  on.get('/recoveries', {
    id: 'listRecoveries',
    access: deskStaff,
    tag,
    summary: 'List recoveries',
    description:
      'Lists the recoveries of the organization without their rows, latest first. They are kept for 30 days.',
    query: RecoveryQuery,
    answers: { 200: envelope(z.array(Recovery)) },
    read: async ({ db, now, actor, query }) => {
      const source = listRecoveries(db, actor.organizationId, { now, statuses: query.status })
      return page(await listPage(source, query, recoveryView))
    },
  })

  on.get('/recoveries/:id', {
    id: 'readRecovery',
    access: [...deskStaff, 'technician'],
    tag,
    summary: 'Read a recovery',
    description:
      'Returns a recovery with its plan: each displaced booking by its start, where it goes, and who has to agree. ' +
      'Technicians read those that they started, without persons.',
    params: IdParams,
    answers: { 200: envelope(RecoveryPlan) },
    errors: [recoveryErrors.noSuchRecovery],
    read: async ({ db, now, actor, params }) => {
      const isDesk = is(actor, deskStaff)
      const one = { id: params.id, ...(!isDesk && { startedBy: actor.orgUserId }) }
      const recovery = await findRecovery(db, actor.organizationId, one, now)
      if (!recovery) throw recoveryErrors.noSuchRecovery()
      const found = await findRecoveryRows(db, actor.organizationId, params.id)
      const rows = found.map(recoveryRowView)
      const isNext = isDesk && recovery.status === 'applied'
      const next = isNext ? await findNextRecovery({ db, now }, actor.organizationId, recovery, found) : null
      return ok({ ...recoveryView(recovery), rows: isDesk ? rows : rows.map(withoutPersons), next })
    },
  })

  on.post('/recoveries/:id/apply', {
    id: 'applyRecovery',
    access: deskStaff,
    tag,
    summary: 'Apply a recovery',
    description:
      'Gives the bookings of a plan their new places by a bulk operation, and returns it. Without `consent: ' +
      'given`, it moves only bookings that nobody has to agree to. The places of the others are offered to the ' +
      'people who have to agree (`GET /offers`); their bookings stand until they accept. When there are only ' +
      'offers, the operation is that of the plan. Each booking is checked again: it stays if the rules refuse it, ' +
      'if somebody has to agree by now who had not, or if it was moved since the plan. `result.next` is the request that plans what is left. Each person is ' +
      'notified once.\n\nA plan with a maintenance booking is applied as a whole, or nothing of it.',
    params: IdParams,
    body: ApplyBody,
    answers: { 202: envelope(Operation) },
    errors: [
      recoveryErrors.noSuchRecovery,
      recoveryErrors.recoveryNotReady,
      recoveryErrors.planOutdated,
      recoveryErrors.recoveryRunning,
      recoveryErrors.notInPlan,
      recoveryErrors.nothingToApply,
      schedulingErrors.categoryUnknown,
      workflowsErrors.consentNeeded,
      workflowsErrors.ownGain,
      workflowsErrors.displacedLeft,
      workflowsErrors.displacedOthers,
      platformErrors.tooManyOperations,
    ],
    write: (tx, { actor, params, body, services }) => applyRecovery(tx, services, actor, params.id, body),
    answer: async ({ id, refused }, { db, actor }) => {
      if (refused) throw refused
      return accepted(operationView((await findOperation(db, { actor, kinds: ['reservation_bulk', 'recovery'] }, id))!))
    },
  })

  on.delete('/recoveries/:id', {
    id: 'endRecovery',
    access: deskStaff,
    tag,
    summary: 'End a recovery',
    description:
      'Ends a recovery whose cause is over: stops its planning and withdraws its open offers. Bookings that were ' +
      'moved already stay moved.',
    params: IdParams,
    answers: { 204: null },
    errors: [recoveryErrors.noSuchRecovery, platformErrors.notCancellable],
    write: (tx, { actor, params }) => endRecovery(tx, actor, params.id),
    answer: () => done(),
  })
}
