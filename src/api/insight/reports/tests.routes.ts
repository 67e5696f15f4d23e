import { z } from 'zod'
import { insightErrors } from '../../../shared/insight/insight.errors.ts'
import { testWindows } from '../../../shared/insight/reports/report-window.rules.ts'
import { findTestReport } from '../../../shared/insight/reports/tests.queries.ts'
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
    firstAttempts: z.int().nullable().describe('The earliest tests of their enrollments'),
    firstTimeRate: z.number().nullable().describe('The passed share of them, from 0 to 1'),
    changedResults: z.int().nullable().describe('Changed later than a day'),
    causes: z.record(z.string(), z.int().nullable()).describe('The tests with each cause'),
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
      'Per course one row for all tests, and one per instructor who recommended the student (14 CFR 141.5(d)). Admins, and the chief ' +
      'instructor of the course, see all in any window of at most 400 days. Others see the last 24 calendar months, figures of ' +
      'at least 5 tests, and their own row.',
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
