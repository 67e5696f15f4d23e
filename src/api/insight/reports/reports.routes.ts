import { z } from 'zod'
import { staff } from '../../../shared/platform/authz/roles.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope } from '../../http/schemas.ts'
import { answerReport, reportErrors } from './answer-report.ts'
import { reports } from './report-list.ts'
import type { ReportParameters } from './reports.schemas.ts'

const inCommon =
  'Columns whose name ends in `Cents` are null for readers who may not see money. CSV has the fields of the rows as its ' +
  'columns, and begins with a byte order mark, by which Excel knows UTF-8; a text that a spreadsheet would read as a formula ' +
  'begins with an apostrophe. Windows are at most 400 days; ' +
  '30 reports an hour and account, 60 charts; two at once of an organization.'

/** The endpoints of the reports. Implements interface §Reports. */
export const reportRoutes: Routes = (on) => {
  for (const report of Object.values(reports)) {
    on.get(`/reports/${report.key}`, {
      id: `report${report.key.replace(/(^|-)./g, (start) => start.slice(-1).toUpperCase())}`,
      access: staff,
      tag: 'Reports',
      summary: report.summary,
      description: `${report.description} ${inCommon}`,
      query: report.query,
      answers: { 200: envelope(z.array(report.row)) },
      otherMedia: report.hasChart ? ['text/csv', 'image/svg+xml'] : ['text/csv'],
      errors: reportErrors,
      read: ({ query, ...call }) => answerReport(report, call, query as ReportParameters),
    })
  }
}
