import { insightErrors } from '../../../shared/insight/insight.errors.ts'
import { csvLines } from '../../../shared/insight/reports/write-csv-lines.ts'
import { readInBatches, TooManyRows } from '../../../shared/platform/db/read-in-batches.ts'
import { readRows } from '../../../shared/platform/db/read-rows.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { type Answer, ok } from '../../http/answers.ts'
import type { Call } from '../../http/endpoint.ts'
import { fileAnswer } from '../../http/formats.ts'
import { spool } from '../../http/spool.ts'
import { chartOf } from './cached-charts.ts'
import type { Cell, OpenedReport, Report } from './define-report.ts'
import { takePlace } from './report-places.ts'
import type { ReportParameters } from './reports.schemas.ts'

/** The most rows of a report. */
const MOST_ROWS = 100_000
/** The rows of a batch. It is small, so that little memory is used. */
const BATCH_ROWS = 250

/** The errors of reports. */
export const reportErrors = [
  platformErrors.datesReversed,
  insightErrors.formatUnknown,
  insightErrors.tooManyRows,
  insightErrors.tooManyBars,
  insightErrors.windowTooLong,
  insightErrors.revenueForAdmins,
  insightErrors.reportsRunning,
]

/** The parts of a call that a report needs. */
export type ReportCall = Pick<Call<'member'>, 'actor' | 'now' | 'count' | 'services' | 'request' | 'format'>

/**
 * Answers a report in the format of its parameters. Limits: 30 reports and 60 charts per hour and account; two reports
 * at a time per organization and four per process.
 */
export async function answerReport(report: Report, call: ReportCall, parameters: ReportParameters): Promise<Answer> {
  const format = call.format ?? parameters.format
  await call.count([[format === 'svg' ? 'charts' : 'reports', String(call.actor.accountId)]])
  const opened = report.open(call, parameters)
  if (format === 'svg') return answerChart(report, call, parameters, opened)
  if (format === 'csv') return answerFile(report, call, opened)
  const rows: unknown[] = []
  const run = startRun(call)
  try {
    await readAll(call, opened, { signal: run.gone, onRows: (some) => rows.push(...some.map(opened.view)) })
    return ok(rows)
  } finally {
    run.end()
  }
}

/** Answers the rows of a query as a CSV file. The file is sent while the rows are read. */
export async function answerFile(
  { key, columns }: { key: string; columns: readonly string[] },
  call: ReportCall,
  opened: OpenedReport,
): Promise<Answer> {
  const run = startRun(call)
  const produce = async (push: (lines: Buffer) => void, signal: AbortSignal) => {
    let first = true
    const onRows = (rows: unknown[]) => {
      const lines = rows.map((row) => cellsOf(opened.view(row), columns))
      push(first ? csvLines([columns, ...lines], { bom: true }) : csvLines(lines))
      first = false
    }
    await readAll(call, opened, { signal, onRows })
  }
  try {
    const stream = await spool(produce, run.gone)
    stream.once('close', run.end)
    return fileAnswer(stream, 'csv', { name: key })
  } catch (error) {
    run.end()
    throw error
  }
}

async function answerChart(
  report: Report,
  call: ReportCall,
  parameters: ReportParameters,
  { money, chart, ...opened }: ReturnType<Report['open']>,
): Promise<Answer> {
  if (!chart) throw insightErrors.formatUnknown()
  if (report.key === 'revenue' && !money) throw insightErrors.revenueForAdmins()
  const { now, actor } = call
  const theme = 'theme' in parameters ? parameters.theme : undefined
  const key = JSON.stringify([report.key, money, parameters])
  const body = await chartOf(actor.organizationId, key, { now, theme }, async () => {
    const rows: unknown[] = []
    const run = startRun(call)
    try {
      await readAll(call, opened, { signal: run.gone, onRows: (some) => rows.push(...some) })
      return chart(rows)
    } finally {
      run.end()
    }
  })
  return {
    status: 200,
    body,
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  }
}

/** Reserves a slot for a report; `end` frees it. The signal `gone` aborts when the client closes the connection. */
function startRun({ actor, request }: ReportCall): { gone: AbortSignal; end(): void } {
  const release = takePlace(actor.organizationId)
  const { socket } = request.raw
  const controller = new AbortController()
  const abort = () => controller.abort()
  socket.once('close', abort)
  return {
    gone: controller.signal,
    end() {
      socket.off('close', abort)
      release()
    },
  }
}

/** Reads all rows as fast as the database answers. */
async function readAll(
  { services }: ReportCall,
  { rows, count }: Pick<OpenedReport, 'rows' | 'count'>,
  options: { signal: AbortSignal; onRows(rows: unknown[]): void },
): Promise<void> {
  try {
    const [counted] = count ? await readRows(services.database, count(MOST_ROWS)) : []
    if (counted && counted.rows > MOST_ROWS) throw new TooManyRows()
    await readInBatches(services.database, rows, { mostRows: MOST_ROWS, batchRows: BATCH_ROWS, ...options })
  } catch (error) {
    if (!(error instanceof TooManyRows)) throw error
    throw insightErrors.tooManyRows({ limit: MOST_ROWS })
  }
}

function cellsOf(view: Record<string, Cell>, columns: readonly string[]): Cell[] {
  return columns.map((column) => view[column] ?? null)
}
