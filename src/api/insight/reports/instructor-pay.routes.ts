import { z } from 'zod'
import { addPay, type InstructorPay, type PayRates } from '../../../shared/billing/pay-runs/pay.rules.ts'
import {
  type SignedFlightRow,
  selectTaught,
  signedFlightOf,
} from '../../../shared/billing/pay-runs/signed-flights.queries.ts'
import { insightErrors } from '../../../shared/insight/insight.errors.ts'
import { reportWindow } from '../../../shared/insight/reports/report-window.rules.ts'
import { csvLines } from '../../../shared/insight/reports/write-csv-lines.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { readInBatches, TooManyRows } from '../../../shared/platform/db/read-in-batches.ts'
import type { Interval } from '../../../shared/platform/kernel/instants.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { fileAnswer } from '../../http/formats.ts'
import { Cents, envelope, Id } from '../../http/schemas.ts'
import type { Services } from '../../http/services.ts'
import { takePlace } from './report-places.ts'
import { TableQuery } from './reports.schemas.ts'

/** The most flights of a report. */
const MOST_FLIGHTS = 100_000
const BATCH_ROWS = 250

const tenths = () => z.int().describe('Tenths of an hour')
const Rate = Cents.nullable().describe('The present rate in cents an hour; null: such time is not paid')

const InstructorPayRow = z
  .object({
    orgUserId: Id,
    name: z.string(),
    flights: z.int(),
    flightDeciHours: tenths(),
    simulatorDeciHours: tenths(),
    groundDeciHours: tenths(),
    flightPayCents: Rate,
    simPayCents: Rate,
    groundPayCents: Rate,
    amountCents: Cents,
  })
  .meta({ id: 'InstructorPayRow' })

type Row = z.input<typeof InstructorPayRow>

/** The endpoint of the report on instructors' pay. Implements interface §Reports. */
export const instructorPayRoutes: Routes = (on) => {
  on.get('/reports/instructorPay', {
    id: 'reportInstructorPay',
    computed: true,
    access: admins,
    tag: 'Reports',
    summary: 'Report what instructors earned',
    description:
      'Returns one row per instructor, by name, with the billed time of signed-off flights and lessons, at the ' +
      'present `payRates`. Each kind of time of a flight is rounded half up to whole cents. The report does not ' +
      'consider whether the time was paid; pay runs show what is paid. A flight counts on the local day on which ' +
      'it ended: its ramp-in, or the end of the booking when that is earlier. CSV has the fields of the rows as ' +
      'columns. Limits: 30 reports per hour and account, and two at a time per ' +
      'organization.',
    query: TableQuery,
    answers: { 200: envelope(z.array(InstructorPayRow)) },
    formats: ['json', 'csv'],
    errors: [
      platformErrors.datesReversed,
      insightErrors.windowTooLong,
      insightErrors.tooManyRows,
      insightErrors.reportsRunning,
    ],
    read: async ({ services, actor, now, query, format, count }) => {
      await count([['reports', String(actor.accountId)]])
      const window = reportWindow(query, now, actor.organization.timeZoneName)
      const release = takePlace(actor.organizationId)
      try {
        const rows = await readPay(services, actor.organizationId, window)
        return format === 'csv' ? fileOf(rows) : ok(rows)
      } finally {
        release()
      }
    },
  })
}

async function readPay({ database }: Services, organizationId: number, window: Interval): Promise<Row[]> {
  const instructors = new Map<number, { name: string; rates: PayRates; pay: InstructorPay }>()
  const onRows = (flights: SignedFlightRow[]) => {
    for (const row of flights) {
      const flight = signedFlightOf(row)
      const pay = addPay(instructors.get(flight.orgUserId ?? 0)?.pay, flight)
      instructors.set(flight.orgUserId ?? 0, { name: row.name ?? '', rates: flight.rates, pay })
    }
  }
  const options = { mostRows: MOST_FLIGHTS, batchRows: BATCH_ROWS, signal: new AbortController().signal, onRows }
  await readInBatches(database, selectTaught(organizationId, window), options).catch((error: unknown) => {
    throw error instanceof TooManyRows ? insightErrors.tooManyRows({ limit: MOST_FLIGHTS }) : error
  })
  return [...instructors]
    .map(([orgUserId, { name, rates, pay }]) => ({
      orgUserId,
      name,
      flights: pay.flights,
      flightDeciHours: pay.hours.flight,
      simulatorDeciHours: pay.hours.sim,
      groundDeciHours: pay.hours.ground,
      flightPayCents: rates.flight,
      simPayCents: rates.sim,
      groundPayCents: rates.ground,
      amountCents: pay.amountCents,
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }) || a.orgUserId - b.orgUserId)
}

function fileOf(rows: readonly Row[]) {
  const columns = Object.keys(InstructorPayRow.shape) as (keyof Row)[]
  const lines = rows.map((row) => columns.map((column) => row[column]))
  return fileAnswer(csvLines([columns, ...lines], { bom: true }), 'csv', { name: 'instructorPay' })
}
