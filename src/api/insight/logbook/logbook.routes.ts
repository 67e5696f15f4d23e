import { z } from 'zod'
import { findOrgUser } from '../../../shared/identity/members/org-user.queries.ts'
import { insightErrors } from '../../../shared/insight/insight.errors.ts'
import {
  findLogbookTotals,
  type LogbookRow,
  type LogbookScope,
  listLogbook,
  selectLogbook,
} from '../../../shared/insight/logbook/logbook.queries.ts'
import { is } from '../../../shared/platform/authz/actor.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { openWindow, windowOf } from '../../http/windows.ts'
import { answerFile } from '../reports/answer-report.ts'
import {
  LogbookEntry,
  LogbookTotal,
  logbookCells,
  logbookColumns,
  logbookEntryView,
  logbookTotalView,
} from './logbook.view.ts'

const LogbookQuery = ListQuery.extend({
  ...openWindow,
})

export const logbookRoutes: Routes = (on) => {
  on.get('/orgUsers/:id/logbook', {
    id: 'readLogbook',
    access: 'member',
    tag: 'Flight log',
    summary: 'Read a member’s logbook (14 CFR 61.51)',
    description:
      'Lists the flights and lessons of a member, the latest first, in the columns of 61.51(b). Members read their ' +
      'own; staff read any. `totals` sums all entries of all pages, by category, class, device, make and model. A ' +
      'flight that the member has not logged counts with its Hobbs time: as training received for the only student ' +
      'of a dual, as solo or pilot in command for a member who flew alone, as instruction for the instructor of a ' +
      'dual or guest flight; landings, night and instrument time are 0. Simulator sessions count as simulator time ' +
      'and not in the total. `format=csv` returns the whole logbook, with times in decimal hours.',
    params: IdParams,
    query: LogbookQuery,
    answers: { 200: envelope(z.array(LogbookEntry), { totals: z.array(LogbookTotal) }) },
    formats: ['json', 'csv'],
    errors: [
      insightErrors.tooManyRows,
      [platformErrors.notAllowed, 'the logbook is another member’s, and the caller is not staff'],
      insightErrors.reportsRunning,
    ],
    read: async ({ query, params, ...call }) => {
      const { db, actor } = call
      const { organizationId } = actor
      await findOrgUser(db, organizationId, params.id)
      if (params.id !== actor.orgUserId && !is(actor, staff)) throw platformErrors.notAllowed()
      const window = windowOf(query, actor)
      const scope: LogbookScope = { organizationId, orgUserId: params.id, window }
      if (call.format === 'csv') {
        await call.count([['reports', String(actor.accountId)]])
        const opened = { rows: selectLogbook(scope), view: (row: unknown) => logbookCells(row as LogbookRow) }
        return answerFile({ key: 'logbook', columns: logbookColumns }, call, opened)
      }
      const summed = findLogbookTotals(db, scope)
      const dated = query.sort === 'date' ? await summed : []
      const [listed, totals] = await Promise.all([
        listPage(listLogbook(db, scope, dated), query, logbookEntryView),
        summed,
      ])
      return { ...page(listed), body: { totals: totals.map(logbookTotalView) } }
    },
  })
}
