import { z } from 'zod'
import { limitBases, maintenanceStatuses } from '../../../shared/fleet/maintenance/maintenance-item.rules.ts'
import { groupings } from '../../../shared/insight/reports/report-window.rules.ts'
import { Meter } from '../../fleet/maintenance/maintenance-item.view.ts'
import { Cents, Id, Instant } from '../../http/schemas.ts'

/** Money in a report: null for readers who may not see it. */
const Money = Cents.nullable()
const Name = z.string().meta({ examples: ['Ana Ruiz'] })
const count = (example: number) => z.int().meta({ examples: [example] })
const bookings = (example: number) => count(example).meta({ unit: 'Bookings' })
const DeciHours = count(124).describe('Tenths of an hour')

/** The rows of each report. Their keys are the columns of the CSV file. */
export const UtilizationRow = z
  .object({
    resourceId: Id,
    name: z.string().meta({ examples: ['N172FL'] }),
    flights: count(9),
    hobbsDeciHours: DeciHours,
    tachDeciHours: count(108).describe('Tenths of an hour'),
    revenueCents: Money.describe('Payments for the flights of the resource, minus refunds and without instruction'),
    bookedMinutes: count(1_260).describe('Booked time in the window, without maintenance'),
    availableMinutes: count(21_600).describe('Time of the flying day in the window. Without a flying day, all minutes'),
  })
  .meta({ id: 'UtilizationRow' })

export const InstructorRow = z
  .object({
    orgUserId: Id,
    name: Name,
    lessons: count(14),
    flightDeciHours: DeciHours,
    simDeciHours: count(20).describe('Tenths of an hour'),
    groundDeciHours: count(35).describe('Tenths of an hour'),
    students: count(5),
    revenueCents: Money.describe('Payments for instruction, minus refunds'),
  })
  .meta({ id: 'InstructorRow' })

export const StudentRow = z
  .object({
    orgUserId: Id,
    name: Name,
    lessons: count(6),
    flightDeciHours: count(84).describe('Tenths of an hour'),
    simDeciHours: count(10).describe('Tenths of an hour'),
    groundDeciHours: count(15).describe('Tenths of an hour'),
    lastFlightAt: Instant.nullable(),
    daysSinceLastFlight: count(3).nullable().describe('Local days'),
    course: z
      .string()
      .nullable()
      .meta({ examples: ['Private pilot'] })
      .describe('The course of the newest open enrollment; null without one'),
    daysEnrolled: count(30).nullable(),
    targetDays: count(180).nullable(),
    lessonsCompleted: count(8).nullable(),
    lessonsInCourse: count(40).nullable(),
    daysAhead: count(6)
      .nullable()
      .describe(
        'Days ahead of `targetDays` if all lessons took equally long; negative when behind, null without a target or ' +
          'lessons',
      ),
  })
  .meta({ id: 'StudentRow' })

export const RevenueRow = z
  .object({
    period: z.iso
      .date()
      .describe('The first local day of the period')
      .meta({ examples: ['2026-11-02'] }),
    groupBy: z.enum(groupings),
    kind: z
      .string()
      .describe(
        'The kind of line, such as `aircraft` or `flight_instruction`; `tax`; `overpaid` for payments above the invoice; ' +
          '`refund` for money that was paid back, with negative amounts',
      )
      .meta({ examples: ['aircraft'] }),
    revenueCents: Money,
  })
  .meta({ id: 'RevenueRow' })

export const ReceivableRow = z
  .object({
    orgUserId: Id.nullable(),
    guestId: Id.nullable().meta({ examples: [null] }),
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
    category: z.string().meta({ examples: ['weather'] }),
    label: z.string().meta({ examples: ['Weather'] }),
    cancellations: count(7),
    under24Hours: bookings(4).describe('With less than 24 hours of notice'),
    from24To72Hours: bookings(2),
    over72Hours: bookings(1).describe('With 72 hours of notice or more'),
    averageNoticeMinutes: count(1_380),
  })
  .meta({ id: 'CancellationRow' })

export const MismatchRow = z
  .object({
    reservationId: Id,
    start: Instant,
    orgUserId: Id,
    name: Name,
    recordIds: z
      .string()
      .describe('The ids of the training records, separated by spaces')
      .meta({ examples: ['31'] }),
    clock: z.enum(['flight', 'instruction', 'simulator', 'ground']),
    recordedDeciHours: count(15).describe('Tenths of an hour'),
    bookedDeciHours: count(11).describe('Tenths of an hour, by the meters or the briefing of the booking'),
  })
  .meta({ id: 'MismatchRow' })

export const DueItemRow = z
  .object({
    reminderId: Id,
    resourceId: Id,
    resource: z.string().meta({ examples: ['N172FL'] }),
    name: z.string().meta({ examples: ['100-hour inspection'] }),
    basis: z.enum(limitBases).meta({ examples: ['tach'] }),
    status: z.enum(maintenanceStatuses).meta({ examples: ['due_soon'] }),
    grounding: z.boolean(),
    dueAt: Instant.nullable().meta({ examples: [null] }),
    daysLeft: z
      .int()
      .nullable()
      .describe('Local days until it is due; negative when overdue, null without a date')
      .meta({ examples: [null] }),
    dueReading: Meter.nullable().meta({ examples: [1300] }),
    currentReading: Meter.nullable().meta({ examples: [1292.4] }),
    hoursLeft: z
      .number()
      .nullable()
      .describe('Hours until it is due by the meter; negative when overdue, null without a reading')
      .meta({ examples: [7.6] }),
  })
  .meta({ id: 'DueItemRow' })
