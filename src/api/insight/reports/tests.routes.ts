import { z } from 'zod'
import { insightErrors } from '../../../shared/insight/insight.errors.ts'
import { testWindows } from '../../../shared/insight/reports/report-window.rules.ts'
import { findTestReport } from '../../../shared/insight/reports/tests.queries.ts'
import { eachCause } from '../../../shared/insight/reports/tests.rules.ts'
import { csvLines } from '../../../shared/insight/reports/write-csv-lines.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { testCauses } from '../../../shared/training/knowledge-tests/training-test.rules.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { fileAnswer } from '../../http/formats.ts'
import { envelope, Id } from '../../http/schemas.ts'
import { reportWindowFields } from '../../http/windows.ts'
import { takePlace } from './report-places.ts'

const TestReportRow = z
  .object({
    courseId: Id,
    course: z.string(),
    of: z.enum(['course', 'instructor']).describe('`course`: all tests of the course'),
    instructorOrgUserId: Id.nullable(),
    instructor: z.string().nullable(),
    tests: z.int(),
    firstAttempts: z.int().nullable().describe('The tests that are the earliest practical test of their enrollment'),
    firstTimeRate: z.number().nullable().describe('The passed share of them, from 0 to 1, rounded down to hundredths'),
    changedResults: z.int().nullable().describe('The tests whose result was changed later than a day'),
    causes: z.object(eachCause(() => z.int().nullable())).describe('The tests with each cause'),
  })
  .meta({ id: 'TestReportRow' })

const columns = [
  'courseId',
  'course',
  'of',
  'instructorOrgUserId',
  'instructor',
  'tests',
  'firstAttempts',
  'firstTimeRate',
  'changedResults',
] as const

/** The endpoint of the report on practical tests. Implements interface §28.4. */
export const testReportRoutes: Routes = (on) => {
  on.get('/reports/tests', {
    id: 'reportTests',
    computed: true,
    access: staff,
    tag: 'Reports',
    summary: 'Report the practical tests by course and instructor',
    description:
      'Returns the first-time rate (14 CFR 141.5(d)) and the causes of tests that were not passed: per course one row for all, and one per ' +
      'instructor who signed the recommendation, else of the enrollment. Admins, and the chief instructor for the course, see ' +
      'all figures in any window of at most 400 days; without one it is the 24 calendar months before this one, and this one. ' +
      'Others get that window alone, the row of the course with figures of at least 5 tests, and instructors their own row. ' +
      'Limits: 30 reports per hour and account, and two at a time per organization.',
    query: z.object(reportWindowFields),
    answers: { 200: envelope(z.array(TestReportRow)) },
    formats: ['json', 'csv'],
    errors: [insightErrors.reportsRunning, insightErrors.windowTooLong, platformErrors.datesReversed],
    read: async ({ db, actor, now, format, count, query }) => {
      await count([['reports', String(actor.accountId)]])
      const release = takePlace(actor.organizationId)
      try {
        const rows = await findTestReport(db, actor, testWindows(query, now, actor.organization.timeZoneName))
        if (format !== 'csv') return ok(rows)
        const lines = rows.map((row) => [
          ...columns.map((column) => row[column]),
          ...testCauses.map((cause) => row.causes[cause]),
        ])
        return fileAnswer(csvLines([[...columns, ...testCauses], ...lines], { bom: true }), 'csv', { name: 'tests' })
      } finally {
        release()
      }
    },
  })
}
