import { z } from 'zod'
import { reportKeys } from '../../../shared/insight/insight.tables.ts'
import { groupings, periods } from '../../../shared/insight/reports/report-window.rules.ts'
import { name } from '../../http/schemas.ts'
import { openWindow, WindowLimit } from '../../http/windows.ts'
import { formats } from './reports.schemas.ts'

/** A limit of a window, stored as it was sent. */
const StoredLimit = z
  .string()
  .superRefine((value, context) => {
    for (const { message } of WindowLimit.safeParse(value).error?.issues ?? []) context.addIssue(message)
  })
  .optional()

/** The parameters of every report, and a period that replaces the dates. */
const parameters = {
  period: z
    .enum(periods)
    .optional()
    .describe('The window, relative to the day on which the view runs. `startDate` and `endDate` override it'),
  startDate: StoredLimit.describe(openWindow.startDate.description!),
  endDate: StoredLimit.describe(openWindow.endDate.description!),
  format: z.enum(formats).meta({ choices: 'ChartFormat' }).optional(),
  groupBy: z.enum(groupings).meta({ choices: 'ReportGrouping' }).optional().describe('Only for the revenue report'),
  theme: z.enum(['light', 'dark']).meta({ choices: 'ChartTheme' }).optional().describe('Only for charts'),
}

/** The parameters of a run. They take precedence over the stored ones. */
export const RunQuery = z.object({
  ...parameters,
  startDate: parameters.startDate.meta({ id: 'LocalStartDate' }),
  endDate: parameters.endDate.meta({ id: 'LocalEndDate' }),
})

const Parameters = z
  .object(parameters)
  .meta({ id: 'ReportParameters' })
  .describe('The parameters of the report. Parameters that the report does not have are dropped')

export const ViewBody = z.object({
  name: name(200),
  report: z.enum(reportKeys),
  parameters: Parameters.default({}),
  shared: z.boolean().default(false).describe('Whether all staff of the organization see the view'),
})

export const ViewPatch = z.object({
  name: ViewBody.shape.name.optional(),
  report: ViewBody.shape.report.optional(),
  parameters: Parameters.optional().describe('Replaces all parameters'),
  shared: z.boolean().optional(),
})
