import { insightErrors } from '../../../shared/insight/insight.errors.ts'
import type { ReportKey, ViewParameters } from '../../../shared/insight/insight.tables.ts'
import { datesOf, type Period } from '../../../shared/insight/reports/report-window.rules.ts'
import { validatorCompiler } from '../../http/validation.ts'
import { reports } from './report-list.ts'
import type { ReportParameters } from './reports.schemas.ts'

/** Parameters as a client sent them; undefined when absent. */
export type GivenParameters = Readonly<Record<string, string | undefined>>

/** Returns, for storing, those of the given parameters that a report has. */
export function storedParameters(report: ReportKey, given: GivenParameters): ViewParameters {
  const { query, hasChart } = reports[report]
  if (given.format === 'svg' && !hasChart) throw insightErrors.viewFormatUnknown()
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) =>
      value !== undefined && (key === 'period' || key in query.shape) ? [[key, value]] : [],
    ),
  )
}

/**
 * Returns the parameters of a run. Given parameters take precedence over those of the view. A given window replaces the
 * stored one. When dates and a period are stored, the dates take precedence.
 */
export function runParameters(
  view: { report: ReportKey; parameters: ViewParameters },
  given: GivenParameters,
  { now, zone }: { now: Date; zone: string },
): ReportParameters {
  const givesWindow = given.period ?? given.startDate ?? given.endDate
  const { startDate, endDate, period, ...rest } = view.parameters
  const stored = givesWindow === undefined ? { startDate, endDate, period } : {}
  const { period: wanted, ...dates } = { ...stored, ...present(given) } as GivenParameters
  const merged = { ...rest, ...(wanted && datesOf(wanted as Period, now, zone)), ...present(dates) }
  const parse = validatorCompiler({ schema: reports[view.report].query, httpPart: 'querystring' } as never)
  const { value, error } = parse(merged) as { value?: ReportParameters; error?: Error }
  if (!value) throw error
  return value
}

function present(given: GivenParameters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}
