import { z } from 'zod'
import { limitBases, maintenanceStatuses } from '../../../shared/fleet/maintenance/maintenance-item.rules.ts'
import { groupings } from '../../../shared/insight/reports/report-window.rules.ts'
import { Meter } from '../../fleet/maintenance/maintenance-item.view.ts'
import { Cents, Id, Instant } from '../../http/schemas.ts'

/** Money in a report: null for readers who may not see it. */
const Money = Cents.nullable()
const Name = z.string()
const count = () => z.int()
const bookings = () => count().meta({ unit: 'Bookings' })
const DeciHours = count().describe('Tenths of an hour')

/** The rows of each report. Their keys are the columns of the CSV file. */
export const UtilizationRow = z
  .object({
    resourceId: Id,
    name: z.string(),
    flights: count(),
    hobbsDeciHours: DeciHours,
    tachDeciHours: count().describe('Tenths of an hour'),
    revenueCents: Money.describe('Payments for the flights of the resource, minus refunds and without instruction'),
    bookedMinutes: count().describe('Booked time in the window, without maintenance'),
    availableMinutes: count().describe(
      'Minutes of the flying day in the window; all minutes when the resource has no flying day',
    ),
  })
  .meta({ id: 'UtilizationRow' })

export const InstructorRow = z
  .object({
    orgUserId: Id,
    name: Name,
    lessons: count(),
    flightDeciHours: DeciHours,
    simulatorDeciHours: count().describe('Tenths of an hour'),
    groundDeciHours: count().describe('Tenths of an hour'),
    students: count(),
    revenueCents: Money.describe('Payments for instruction, minus refunds'),
  })
  .meta({ id: 'InstructorRow' })

export const StudentRow = z
  .object({
    orgUserId: Id,
    name: Name,
    lessons: count(),
    flightDeciHours: count().describe('Tenths of an hour'),
    simulatorDeciHours: count().describe('Tenths of an hour'),
    groundDeciHours: count().describe('Tenths of an hour'),
    lastFlightAt: Instant.nullable(),
    daysSinceLastFlight: count().nullable().describe('Local days'),
    course: z.string().nullable().describe('The course of the newest open enrollment; null without one'),
    daysEnrolled: count().nullable(),
    targetDays: count().nullable(),
    lessonsCompleted: count().nullable(),
    lessonsInCourse: count().nullable(),
    daysAhead: count()
      .nullable()
      .describe(
        'How many days the student is ahead of `targetDays`, if all lessons take equally long; negative when ' +
          'behind, null without a target or lessons',
      ),
  })
  .meta({ id: 'StudentRow' })

export const RevenueRow = z
  .object({
    period: z.iso.date().describe('The first local day of the period'),
    groupBy: z.enum(groupings),
    kind: z
      .string()
      .describe(
        'The kind of line, such as `aircraft` or `flight_instruction`; `tax`; `overpaid` for the part of payments ' +
          'above the invoice; `refund` for refunds, with negative amounts',
      ),
    revenueCents: Money,
  })
  .meta({ id: 'RevenueRow' })

export const ReceivableRow = z
  .object({
    orgUserId: Id.nullable(),
    guestId: Id.nullable(),
    name: Name,
    days0to30Cents: Money,
    days31to60Cents: Money,
    days61to90Cents: Money,
    over90Cents: Money,
    totalCents: Money,
  })
  .meta({ id: 'ReceivableRow' })

export const CancellationRow = z
  .object({
    category: z.string(),
    label: z.string(),
    cancellations: count(),
    under24Hours: bookings().describe('Bookings that were cancelled less than 24 hours before their start'),
    from24To72Hours: bookings(),
    over72Hours: bookings().describe('Bookings that were cancelled 72 hours or more before their start'),
    averageNoticeMinutes: count(),
    feesProposed: bookings().describe('Bookings whose fee is not decided'),
    feesWaived: bookings(),
    feesCharged: bookings(),
    chargedCents: Money,
  })
  .meta({ id: 'CancellationRow' })

export const MismatchRow = z
  .object({
    reservationId: Id,
    start: Instant,
    orgUserId: Id,
    name: Name,
    recordIds: z.string().describe('The ids of the training records, separated by spaces'),
    clock: z.enum(['flight', 'instruction', 'simulator', 'ground']),
    recordedDeciHours: count().describe('Tenths of an hour'),
    bookedDeciHours: count().describe('Tenths of an hour, by the meters or the briefing of the booking'),
  })
  .meta({ id: 'MismatchRow' })

export const DueItemRow = z
  .object({
    reminderId: Id,
    resourceId: Id,
    resource: z.string(),
    name: z.string(),
    basis: z.enum(limitBases),
    status: z.enum(maintenanceStatuses),
    grounding: z.boolean(),
    dueAt: Instant.nullable(),
    daysLeft: z.int().nullable().describe('Local days until it is due; negative when overdue, null without a date'),
    dueReading: Meter.nullable(),
    currentReading: Meter.nullable(),
    hoursLeft: z
      .number()
      .nullable()
      .describe('Hours until it is due by the meter; negative when overdue, null without a reading'),
  })
  .meta({ id: 'DueItemRow' })
