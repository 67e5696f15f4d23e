import { z } from 'zod'
import type { Routes } from '../../http/endpoint.ts'
import { envelope } from '../../http/schemas.ts'
import { answerReport, reportErrors } from './answer-report.ts'
import { reports } from './report-list.ts'
import { formats, type ReportParameters } from './reports.schemas.ts'

/** The endpoints of the reports. Implements interface §Reports. */
export const reportRoutes: Routes = (on) => {
  for (const report of Object.values(reports)) {
    on.get(`/reports/${report.key}`, {
      id: `report${report.key.replace(/(^|-)./g, (start) => start.slice(-1).toUpperCase())}`,
      computed: true,
      access: report.readers,
      tag: 'Reports',
      summary: report.summary,
      description: report.description,
      query: report.query,
      answers: { 200: envelope(z.array(report.row)) },
      formats: report.hasChart ? formats : ['json', 'csv'],
      errors: reportErrors,
      read: ({ query, ...call }) => answerReport(report, call, query as ReportParameters),
    })
  }
}
