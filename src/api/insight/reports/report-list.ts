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
import { deskStaff, staff } from '../../../shared/platform/authz/roles.ts'
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
  'A flight counts on the local day on which it ended: its ramp-in, or the end of the booking when that is earlier.'

const scope = ({ organizationId, window }: Pick<ReportContext, 'organizationId' | 'window'>) => ({
  organizationId,
  window: window(),
})

const narrowScope = ({ organizationId, parameters, now, zone }: ReportContext) => ({
  organizationId,
  window: narrowingWindow(parameters, now, zone),
})

const paidForFlights =
  'Full and partial payments until now count, divided among the lines as in `GET /reports/revenue`. A refund reduces ' +
  'all lines of its invoice in proportion.'

const utilization = defineReport({
  key: 'utilization',
  summary: 'Report the use of each aircraft, simulator and room',
  description: `Returns one row per resource, by name. ${flights} \`revenueCents\` is what was paid for these flights. ${paidForFlights}`,
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
  summary: 'Report the lessons, hours and students of each instructor',
  description: `Returns one row per instructor, by name. ${flights} Ground time is the time of briefings. ${paidForFlights}`,
  query: TableQuery,
  row: InstructorRow,
  select: (context) => selectInstructors(scope(context)),
  view: (row) => ({ ...row }),
})

const students = defineReport({
  key: 'students',
  summary: 'Report the lessons, hours and progress of each student',
  description: `Returns one row per student, by name. ${flights} The last flight and the progress are the present ones, whatever the window.`,
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
  summary: 'Report revenue by day, week or month and kind of line',
  description:
    'Returns the payments received in the window, minus the reversals and refunds in it, each on its own local ' +
    'day. A partial payment is divided among the lines and the tax of its invoice, so that all payments together ' +
    'equal the lines exactly. Days without payments, reversals and refunds have no row. The sum over all time ' +
    'equals `revenueCents` of `GET /invoices/summary`, unless a refund is in progress.',
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
  summary: 'Report the unpaid invoices of each payer by age',
  description:
    'Returns the unpaid amounts of all invoices, one row per payer. `startDate` and `endDate` limit them to ' +
    'invoices created in a window. The age is counted in local days from `dueAt`, or from the day of the invoice ' +
    'when it has no due date. Amounts that are not due yet are in the youngest group. The sum equals ' +
    '`outstandingCents` of `GET /invoices/summary`.',
  query: TableQuery,
  row: ReceivableRow,
  moneyFor: deskStaff,
  select: (context) => selectReceivables(narrowScope(context), context),
  count: (context, most) => countReceivables(narrowScope(context), most),
  view: (row: Receivable) => row as Receivable & Record<string, Cell>,
})

const cancellations = defineReport({
  key: 'cancellations',
  summary: 'Report cancellations by category and notice',
  description:
    'Returns the number of bookings that were cancelled in the window, one row per category. The notice is the time ' +
    'from the cancellation to the booked start.',
  query: TableQuery,
  row: CancellationRow,
  moneyFor: deskStaff,
  select: (context) => selectCancellations(scope(context)),
  view: (row) => ({ ...row, label: categoryLabel(row.category) }),
})

const maintenance = defineReport({
  key: 'maintenance',
  summary: 'Report the maintenance that is due',
  description:
    'Returns the present maintenance reminders, most urgent first, including inspections of 14 CFR 91.409, 91.411 ' +
    'and 91.413 as the school entered them. With `endDate`, reminders that are due later by the calendar are left ' +
    'out; `startDate` has no effect.',
  query: TableQuery,
  row: DueItemRow,
  readers: [...staff, 'technician'],
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
  summary: 'Report training records that differ from their bookings by more than 0.2 hours',
  description:
    'Returns one row per student, booking and clock, latest first: the total time of the training records, and the time by the meters or ' +
    `the briefing of the booking. ${flights}`,
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
