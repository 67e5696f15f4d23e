import { z } from 'zod'
import { groupings } from '../../../shared/insight/reports/report-window.rules.ts'
import { reportWindowFields } from '../../http/windows.ts'

const theme = z
  .enum(['light', 'dark'])
  .optional()
  .describe('The colours of a chart. Default: the preference of the viewer’s system')

export const formats = ['json', 'csv', 'svg'] as const

/** The parameters of a report without a chart. */
export const TableQuery = z.object({
  ...reportWindowFields,
  format: z.enum(['json', 'csv']).meta({ choices: 'TableFormat' }).default('json'),
})

/** The parameters of a report with a chart. */
export const ChartQuery = z.object({
  ...reportWindowFields,
  format: z.enum(formats).default('json').meta({ id: 'ChartFormat' }),
  theme,
})

/** The parameters of the report of revenue. */
export const RevenueQuery = ChartQuery.extend({
  groupBy: z
    .enum(groupings)
    .optional()
    .describe('Default: `day` for windows of up to 60 days, otherwise `week`. Weeks start on Monday'),
})

/** The parsed parameters of any report. */
export type ReportParameters = z.output<typeof TableQuery> | z.output<typeof ChartQuery> | z.output<typeof RevenueQuery>
