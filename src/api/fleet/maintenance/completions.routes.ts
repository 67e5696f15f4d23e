import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { maintainers } from '../../../shared/fleet/maintenance/change-squawk.ts'
import { completeMaintenanceItem } from '../../../shared/fleet/maintenance/complete-maintenance-item.ts'
import { listCompletions } from '../../../shared/fleet/maintenance/completion.queries.ts'
import { findMaintenanceItem } from '../../../shared/fleet/maintenance/maintenance-item.queries.ts'
import { reverseCompletion } from '../../../shared/fleet/maintenance/reverse-completion.ts'
import { findFiles } from '../../../shared/fleet/resources/resource-file.queries.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { BookingStart, envelope, IdParams, warnings } from '../../http/schemas.ts'
import { signedUrlData, signUpload } from '../../platform/storage/signed-files.ts'
import { CompleteBody, UndoBody } from './maintenance.schemas.ts'
import { filesOf } from './maintenance-file.view.ts'
import { CompletionView, completionView, Reminder } from './maintenance-item.view.ts'
import { answerItem } from './maintenance-items.routes.ts'

const tag = 'Maintenance'
const warned = {
  warning: z.string().optional().describe('The first of `warnings`'),
  ...warnings,
}

/** The endpoints of the completions of maintenance items. */
export const completionRoutes: Routes = (on) => {
  on.post('/maintenance/reminders/:id/complete', {
    id: 'completeMaintenanceReminder',
    access: maintainers,
    tag,
    secret: true,
    rateLimit: { uploads: ({ body }) => body?.files?.length ?? 0 },
    summary: 'Record that maintenance was done',
    description:
      'Records the completion and starts the next interval of each limit. A limit without an interval does not ' +
      'come due again. With `carry`, the next interval is shorter by the hours that were flown past the due ' +
      'reading.\n\n`warnings` says when these hours exceed the 10 hours of 14 CFR 91.409(b). It also names the ' +
      'deferred squawks that an inspection did not cover. They hold the aircraft until they are resolved, deferred ' +
      'again or named in `inspectedSquawkIds` (91.405(c)).\n\nWhile the aircraft is out, its reading is that of ' +
      'its last ramp-in.',
    params: IdParams,
    body: CompleteBody,
    answers: { 200: envelope(Reminder, { ...warned, signedUrlData: signedUrlData.signedUrlData.optional() }) },
    errors: [
      platformErrors.fileTypeNotAccepted,
      fleetErrors.doneInFuture,
      fleetErrors.inspectedUndeferred,
      [fleetErrors.meterAnomaly, 'repeat the request with `confirmMeterAnomaly`'],
      fleetErrors.readingMissing,
      fleetErrors.readingOfSeveral,
      fleetErrors.wholeLandings,
      platformErrors.demoFilesFull,
      fleetErrors.noSuchMaintenanceItem,
      platformErrors.tooManyUploads,
    ],
    write: (tx, { actor, params, body }) =>
      completeMaintenanceItem(tx, actor, params.id, {
        doneAt: body?.doneAt ?? null,
        reading: body?.reading ?? null,
        readings: body?.readings ?? {},
        notes: body?.notes ?? null,
        signedBy: body?.signedBy ?? null,
        workOrder: body?.workOrder ?? null,
        inspectedSquawkIds: body?.inspectedSquawkIds ?? [],
        files: body?.files ?? [],
        confirmMeterAnomaly: body?.confirmMeterAnomaly ?? false,
      }),
    answer: async ({ id, fileIds, warnings: found }, call) => {
      const rows = fileIds.length > 0 ? await findFiles(call.db, call.actor.organizationId, fileIds) : []
      const uploads = await Promise.all(rows.map((row) => signUpload(row, call.services.storage)))
      return ok(await answerItem(call, id), {
        ...(found.length > 0 && { warning: found[0], warnings: found }),
        ...(uploads.length > 0 && { signedUrlData: uploads }),
      })
    },
  })

  on.get('/maintenance/reminders/:id/history', {
    id: 'listMaintenanceCompletions',
    access: 'member',
    tag,
    summary: 'List the completions of a maintenance reminder',
    description:
      'Lists when and by whom the work was done, latest first, undone completions included. These are the records of 14 CFR ' +
      '91.417(a)(1).',
    params: IdParams,
    query: ListQuery,
    answers: { 200: envelope(z.array(CompletionView)) },
    links: true,
    errors: [fleetErrors.noSuchMaintenanceItem],
    read: async (call) => {
      const { db, actor, params, query } = call
      await findMaintenanceItem(db, actor.organizationId, params.id)
      const completions = listCompletions(db, actor.organizationId, params.id)
      const listed = await listPage(completions, query, (row) => completionView(row, []))
      const ids = listed.rows.map(({ id }) => id)
      const files = await filesOf(call, 'completion_id', ids)
      return page({ ...listed, view: (row) => completionView(row, files.get(row.id) ?? []) })
    },
  })

  on.delete('/maintenance/completions/:id', {
    id: 'undoMaintenanceCompletion',
    access: admins,
    tag,
    summary: 'Undo a completion of maintenance',
    description:
      'Undoes the latest completion of a reminder, together with those of the reminders that it satisfied. Their limits are as ' +
      'they were before, and what is overdue holds the aircraft at once. The history and the status sheet keep the ' +
      'completions, with who undid them and why (14 CFR 91.417). Flights that left since stay: `flights` lists them. Deferrals ' +
      'that the completion ended stay ended: `warnings` names them.',
    params: IdParams,
    body: UndoBody,
    answers: {
      200: envelope(Reminder, {
        ...warned,
        flights: z
          .array(BookingStart)
          .describe('The bookings on which the aircraft left since the completion was recorded, at most 200'),
      }),
    },
    errors: [
      fleetErrors.noSuchCompletion,
      fleetErrors.completionReversed,
      fleetErrors.completedTogether,
      fleetErrors.completedLater,
      fleetErrors.completionTooOld,
    ],
    write: (tx, { actor, params, body }) => reverseCompletion(tx, actor, params.id, body.reason),
    answer: async ({ id, warnings: found, flights }, call) =>
      ok(await answerItem(call, id), {
        ...(found.length > 0 && { warning: found[0], warnings: found }),
        flights,
      }),
  })
}
