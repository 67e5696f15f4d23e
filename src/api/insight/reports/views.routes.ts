import { z } from 'zod'
import { insightErrors } from '../../../shared/insight/insight.errors.ts'
import { findView, listViews } from '../../../shared/insight/reports/report-view.queries.ts'
import { createView, deleteView, updateView } from '../../../shared/insight/reports/write-view.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { created, done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { answerReport, reportErrors } from './answer-report.ts'
import { reports } from './report-list.ts'
import { formats } from './reports.schemas.ts'
import { SavedView, savedView } from './saved-view.view.ts'
import { runParameters, storedParameters } from './view-parameters.ts'
import { RunQuery, ViewBody, ViewPatch } from './views.schemas.ts'

const tag = 'Reports'
const rights = 'Allowed for the author of the view, and for admins if it is shared.'

/** The endpoints of saved views. Implements interface §Reports. */
export const reportViewRoutes: Routes = (on) => {
  on.get('/reports/views', {
    id: 'listReportViews',
    access: staff,
    tag,
    summary: 'List the saved views',
    description: 'Lists the caller’s own views and the shared ones, by name.',
    query: ListQuery,
    answers: { 200: envelope(z.array(SavedView)) },
    read: async ({ db, actor, query }) => page(await listPage(listViews(db, actor), query, savedView)),
  })

  on.post('/reports/views', {
    id: 'createReportView',
    access: staff,
    tag,
    summary: 'Save a view of a report',
    description:
      'Saves a report with its parameters under a name. At most 100 views per member. Other people who run a ' +
      'shared view get only what they may see.',
    body: ViewBody,
    answers: { 201: envelope(SavedView) },
    errors: [
      platformErrors.datesReversed,
      insightErrors.tooManyBars,
      insightErrors.viewFormatUnknown,
      insightErrors.tooManyViews,
      insightErrors.windowTooLong,
    ],
    write: (tx, { actor, body }) =>
      createView(tx, actor, { ...body, parameters: storedParameters(body.report, body.parameters) }),
    answer: async ({ id }, { db, actor }) => created(savedView(await findView(db, actor, id))),
  })

  on.get('/reports/views/:id', {
    id: 'readReportView',
    access: staff,
    tag,
    summary: 'Read a saved view',
    description: 'Returns a view of the caller, or a shared one.',
    params: IdParams,
    answers: { 200: envelope(SavedView) },
    errors: [insightErrors.noSuchView],
    read: async ({ db, actor, params }) => ok(savedView(await findView(db, actor, params.id))),
  })

  on.patch('/reports/views/:id', {
    id: 'updateReportView',
    access: staff,
    tag,
    edits: 'report_view',
    summary: 'Change a saved view',
    description: `Changes the fields that are sent. ${rights}`,
    params: IdParams,
    body: ViewPatch,
    answers: { 200: envelope(SavedView) },
    errors: [
      platformErrors.datesReversed,
      insightErrors.tooManyBars,
      insightErrors.viewFormatUnknown,
      insightErrors.windowTooLong,
      insightErrors.viewOfOthers,
      insightErrors.noSuchView,
    ],
    write: async (tx, { actor, params, body }) => {
      const before = await findView(tx.db, actor, params.id)
      const given = body.parameters ?? before.parameters
      const parameters = storedParameters(body.report ?? before.report, given)
      return updateView(tx, actor, params.id, { ...body, parameters })
    },
    answer: async ({ id }, { db, actor }) => ok(savedView(await findView(db, actor, id))),
  })

  on.delete('/reports/views/:id', {
    id: 'deleteReportView',
    access: staff,
    tag,
    edits: 'report_view',
    summary: 'Delete a saved view',
    description: `Deletes the view. ${rights}`,
    params: IdParams,
    answers: { 204: null },
    errors: [insightErrors.viewOfOthers, insightErrors.noSuchView],
    write: (tx, { actor, params }) => deleteView(tx, actor, params.id),
    answer: () => done(),
  })

  on.get('/reports/views/:id/run', {
    id: 'runReportView',
    computed: true,
    access: staff,
    tag,
    summary: 'Run a saved view',
    description:
      'Runs the report with the caller’s rights and returns rows, CSV or a chart, like the endpoint of the report. ' +
      'Parameters of the request override the stored ones; a window in the request replaces the stored window.',
    params: IdParams,
    query: RunQuery,
    answers: { 200: envelope(z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])))) },
    formats,
    errors: [...reportErrors, insightErrors.noSuchView],
    read: async ({ params, query, ...call }) => {
      const { db, actor, now } = call
      const view = await findView(db, actor, params.id)
      const parameters = runParameters(view, query, { now, zone: actor.organization.timeZoneName })
      return answerReport(reports[view.report], call, parameters)
    },
  })
}
