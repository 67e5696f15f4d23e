import type { ReportKey } from '../../../shared/insight/insight.tables.ts'
import { availableMinutes } from '../../../shared/insight/reports/available-minutes.rules.ts'
import { selectMismatches } from '../../../shared/insight/reports/mismatch.queries.ts'
import {
  countReceivables,
  type ReceivableRow as Receivable,
  selectReceivables,
  selectRevenue,
} from '../../../shared/insight/reports/money.queries.ts'
import { selectCancellations, selectDueItems } from '../../../shared/insight/reports/operations.queries.ts'
import { selectInstructors, selectStudents } from '../../../shared/insight/reports/people.queries.ts'
import { daysAhead } from '../../../shared/insight/reports/progress-by-days.rules.ts'
import { narrowingWindow, usualGrouping } from '../../../shared/insight/reports/report-window.rules.ts'
import { selectUtilization } from '../../../shared/insight/reports/utilization.queries.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import { readingToNumber } from '../../../shared/platform/kernel/hours.ts'
import { minus } from '../../../shared/platform/kernel/units.ts'
import { daysBetween } from '../../../shared/platform/kernel/zones.ts'
import { categoryLabel } from '../../../shared/scheduling/reservations/reservation.rules.ts'
import { iso } from '../../http/iso.ts'
import { type Cell, defineReport, type Report, type ReportContext } from './define-report.ts'
import {
  CancellationRow,
  DueItemRow,
  InstructorRow,
  MismatchRow,
  ReceivableRow,
  RevenueRow,
  StudentRow,
  UtilizationRow,
} from './report.views.ts'
import { revenueChart, utilizationChart } from './report-charts.ts'
import { ChartQuery, RevenueQuery, TableQuery } from './reports.schemas.ts'

const flights =
  'A flight belongs to the day on which it ended: the ramp-in, or the end of the booking when it was recorded later.'

const scope = ({ organizationId, window }: Pick<ReportContext, 'organizationId' | 'window'>) => ({
  organizationId,
  window: window(),
})

const narrowScope = ({ organizationId, parameters, now, zone }: ReportContext) => ({
  organizationId,
  window: narrowingWindow(parameters, now, zone),
})

const paidForFlights =
  'What was paid until now counts, in full or in part, by the lines that it pays as in `GET /reports/revenue`; refunds come off all ' +
  'lines of an invoice, each in proportion.'

const utilization = defineReport({
  key: 'utilization',
  summary: 'The use of each aircraft, simulator and room',
  description: `${flights} \`revenueCents\` is what was paid for those flights. ${paidForFlights}`,
  query: ChartQuery,
  row: UtilizationRow,
  select: (context) => selectUtilization(scope(context)),
  view: ({ flyingDayStartMinute, flyingDayEndMinute, zone, ...row }, { window, settings }) => ({
    ...row,
    availableMinutes: availableMinutes(window(), { flyingDayStartMinute, flyingDayEndMinute }, settings, zone),
  }),
  chart: utilizationChart,
})

const instructors = defineReport({
  key: 'instructors',
  summary: 'The lessons, hours and students of each instructor',
  description: `${flights} Ground time is that of the briefings. ${paidForFlights}`,
  query: TableQuery,
  row: InstructorRow,
  select: (context) => selectInstructors(scope(context)),
  view: (row) => ({ ...row }),
})

const students = defineReport({
  key: 'students',
  summary: 'The lessons, hours and progress of each student',
  description: `${flights} The last flight and the progress are as of now, whatever the window.`,
  query: TableQuery,
  row: StudentRow,
  select: (context) => selectStudents(scope(context)),
  view({ lastFlightAt, enrolledAt, lessonsCompleted, lessonsInCourse, targetDays, ...row }, { now, zone }) {
    const daysEnrolled = enrolledAt && daysBetween(enrolledAt, now, zone)
    const progress = { targetDays, lessonsCompleted: lessonsCompleted ?? 0, lessonsInCourse: lessonsInCourse ?? 0 }
    return {
      ...row,
      lastFlightAt: iso(lastFlightAt),
      daysSinceLastFlight: lastFlightAt && daysBetween(lastFlightAt, now, zone),
      daysEnrolled,
      targetDays,
      lessonsCompleted,
      lessonsInCourse,
      daysAhead: daysEnrolled === null ? null : daysAhead({ ...progress, daysEnrolled }),
    }
  },
})

const revenue = defineReport({
  key: 'revenue',
  summary: 'What was paid, by day, week or month and by kind of line',
  description:
    'The payments received in the window, less those reversed and the refunds made in it; each on its local day. A part ' +
    'payment is divided among the lines and the tax of its invoice, so that all parts are exactly the lines. The sum over ' +
    'all time equals `revenueCents` of `GET /invoices/summary` when no refund is under way. Days without either have no row.',
  query: RevenueQuery,
  row: RevenueRow,
  select: ({ parameters: { groupBy }, zone, ...context }) => {
    const of = scope(context)
    return selectRevenue(of, { grouping: groupBy ?? usualGrouping(of.window, zone), zone })
  },
  view: (row, { parameters: { groupBy }, window, zone }) => ({
    ...row,
    groupBy: groupBy ?? usualGrouping(window(), zone),
  }),
  chart: revenueChart,
})

const receivables = defineReport({
  key: 'receivables',
  summary: 'What each payer has still to pay, by age',
  description:
    'Of all invoices that are not paid; `startDate` and `endDate` narrow it to those raised in a window. The age counts ' +
    'local days from `dueAt`, else from the day of the invoice; what is not due yet is in the youngest group. Its sum ' +
    'equals `outstandingCents` of `GET /invoices/summary`.',
  query: TableQuery,
  row: ReceivableRow,
  moneyFor: deskStaff,
  select: (context) => selectReceivables(narrowScope(context), context),
  count: (context, most) => countReceivables(narrowScope(context), most),
  view: (row: Receivable) => row as Receivable & Record<string, Cell>,
})

const cancellations = defineReport({
  key: 'cancellations',
  summary: 'The cancellations by category and notice',
  description: 'Bookings that were cancelled in the window. Notice is the time from then to the booked start.',
  query: TableQuery,
  row: CancellationRow,
  select: (context) => selectCancellations(scope(context)),
  view: (row) => ({ ...row, label: categoryLabel(row.category) }),
})

const maintenance = defineReport({
  key: 'maintenance',
  summary: 'The maintenance that is due, the most urgent first',
  description:
    'As of now. `endDate` leaves out what the calendar makes due after it; `startDate` changes nothing. ' +
    'Inspections of 14 CFR 91.409, 91.411 and 91.413 among them, as the school entered them.',
  query: TableQuery,
  row: DueItemRow,
  select: ({ organizationId, parameters, now, zone }) =>
    selectDueItems({ organizationId, until: narrowingWindow(parameters, now, zone).end }, now),
  view({ dueAt, dueHundredths, currentHundredths, ...row }, { now, zone }) {
    const left = dueHundredths === null || currentHundredths === null ? null : minus(dueHundredths, currentHundredths)
    return {
      ...row,
      dueAt: iso(dueAt),
      daysLeft: dueAt && daysBetween(now, dueAt, zone),
      dueReading: dueHundredths === null ? null : readingToNumber(dueHundredths),
      currentReading: currentHundredths === null ? null : readingToNumber(currentHundredths),
      hoursLeft: left === null ? null : readingToNumber(left),
    }
  },
})

const trainingMismatch = defineReport({
  key: 'training-mismatch',
  summary: 'Where training records and their bookings differ by more than 0.2 hours',
  description:
    'The latest first, a row a student, booking and clock: what their records of it say together, and what its meters and ' +
    `briefing say. ${flights}`,
  query: TableQuery,
  row: MismatchRow,
  select: (context) => selectMismatches(scope(context)),
  view: ({ start, ...row }) => ({ ...row, start: iso(start) }),
})

/** Every report. Implements interface §Reports. */
export const reports: Record<ReportKey, Report> = {
  utilization,
  instructors,
  students,
  revenue,
  receivables,
  cancellations,
  maintenance,
  'training-mismatch': trainingMismatch,
}
