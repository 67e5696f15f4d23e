import { z } from 'zod'
import { groupings } from '../../../shared/insight/reports/report-window.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { readInstant } from '../../../shared/platform/kernel/instants.ts'
import { InstantInput } from '../../http/schemas.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A limit of a window: a local date, which stays text, or an instant with an offset, which becomes a Date. */
export const WindowLimit = z
  .string()
  .max(64, fieldErrors.instant())
  .transform((value, context) => {
    if (DATE.test(value) && readInstant(`${value}T00:00:00Z`) instanceof Date) return value
    const instant = InstantInput.safeParse(value)
    if (instant.success) return instant.data
    for (const { message } of instant.error.issues) context.addIssue(message)
    return z.NEVER
  })
  .meta({ override: { type: 'string' } })

const window = {
  startDate: WindowLimit.optional()
    .describe('A local date, or an instant with an offset. Default: 30 days before the end')
    .meta({ examples: ['2026-11-01'] }),
  endDate: WindowLimit.optional()
    .describe('A local date, which is included, or an instant with an offset. Default: the end of today')
    .meta({ examples: ['2026-11-30'] }),
}

const theme = z
  .enum(['light', 'dark'])
  .optional()
  .describe('The colours of a chart. When left out, those that the viewer’s system prefers')

export const formats = ['json', 'csv', 'svg'] as const

/** The parameters of a report without a chart. */
export const TableQuery = z.object({ ...window, format: z.enum(['json', 'csv']).default('json') })

/** The parameters of a report with a chart. */
export const ChartQuery = z.object({ ...window, format: z.enum(formats).default('json'), theme })

/** The parameters of the report of revenue. */
export const RevenueQuery = ChartQuery.extend({
  groupBy: z
    .enum(groupings)
    .optional()
    .describe('Default: `day` for windows of up to 60 days, otherwise `week`. Weeks start on Monday'),
})

/** The parsed parameters of any report. */
export type ReportParameters = z.output<typeof TableQuery> | z.output<typeof ChartQuery> | z.output<typeof RevenueQuery>
