import type { remindOverdue } from '../shared/billing/invoices/invoices.jobs.ts'
import { remindSomeOverdue } from '../shared/billing/invoices/remind-overdue.ts'
import type { remindLate, remindUnsigned } from '../shared/dispatch/close-out.jobs.ts'
import { remindOfLate } from '../shared/dispatch/remind-late.ts'
import { remindOfUnsigned } from '../shared/dispatch/remind-unsigned.ts'
import type { reviewMaintenance } from '../shared/fleet/maintenance/maintenance.jobs.ts'
import { findResourcesToReview } from '../shared/fleet/maintenance/maintenance-item.queries.ts'
import { reviewDue } from '../shared/fleet/maintenance/review-due.ts'
import { findEndedDeferrals } from '../shared/fleet/maintenance/squawk.queries.ts'
import { inBatches } from '../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../shared/platform/jobs/job-tools.ts'
import {
  notifyExpiringCurrencies,
  notifyExpiringDocuments,
  notifyLapsingCurrencies,
} from '../shared/qualification/notify-expiring.ts'
import type { expiringCurrenciesJob, expiringDocumentsJob } from '../shared/qualification/qualification.jobs.ts'
import { judgeMarked, markAhead } from '../shared/scheduling/at-risk/judge-marked.ts'
import { judgeWeatherAhead } from '../shared/scheduling/reservations/judge-weather-ahead.ts'
import { remindOfBookings } from '../shared/scheduling/reservations/remind-upcoming.ts'
import { findStationsToJudge } from '../shared/scheduling/reservations/weather-ahead.queries.ts'
import { notifyOverrides } from '../shared/scheduling/rules/notify-overrides.ts'
import type {
  judgeAtRisk,
  judgeWeather,
  markAtRisk,
  overridesDigest,
  remindUpcoming,
} from '../shared/scheduling/scheduling.jobs.ts'
import { updateWeather } from '../shared/scheduling/weather/update-weather.ts'
import { notifyExpiringEndorsements } from '../shared/training/endorsements/issue-endorsement.ts'
import { notifyExpiringTests } from '../shared/training/records/record-test.ts'
import type { expiringEndorsementsJob } from '../shared/training/training.jobs.ts'

// Each scheduled job enqueues the due rows in batches, one transaction per batch, until a batch is not full.

/** Enqueues reminders of overdue invoices. */
export const remindPayersOverdue: JobProcessor<typeof remindOverdue> = async (_payload, tools) => {
  await inBatches(tools, remindSomeOverdue)
}

/** Enqueues alarms of flights that are out past their expected return. */
export const remindOfLateFlights: JobProcessor<typeof remindLate> = async (_payload, tools) => {
  await inBatches(tools, remindOfLate)
}

/** Enqueues the digests of overridden rules. */
export const tellOfOverrides: JobProcessor<typeof overridesDigest> = async (_payload, tools) => {
  await inBatches(tools, notifyOverrides)
}

/** Marks all bookings ahead to be judged. */
export const markBookingsAhead: JobProcessor<typeof markAtRisk> = async (_payload, tools) => {
  await tools.transaction(markAhead)
}

/** Judges the bookings ahead of an organization that changes concern. */
export const judgeAheadOf: JobProcessor<typeof judgeAtRisk> = async ({ organizationId }, tools) => {
  await tools.transaction((tx) => judgeMarked(tx, organizationId))
}

/** Enqueues reminders of unsigned close-outs. */
export const remindOfUnsignedCloseOuts: JobProcessor<typeof remindUnsigned> = async (_payload, tools) => {
  await inBatches(tools, remindOfUnsigned)
}

/** Enqueues reminders of upcoming bookings. */
export const remindOfUpcoming: JobProcessor<typeof remindUpcoming> = async (_payload, tools) => {
  await inBatches(tools, remindOfBookings)
}

/** Fetches the weather of flights that start within two hours, and enqueues notices of what is outside of somebody's limits. */
export const judgeWeatherOfFlights: JobProcessor<typeof judgeWeather> = async (_payload, tools) => {
  const { db } = tools.database
  for (const station of await findStationsToJudge(db, tools.clock())) await updateWeather(db, tools, station)
  await inBatches(tools, judgeWeatherAhead)
}

/** Enqueues notifications of documents that expire soon or have expired. */
export const remindOfDocuments: JobProcessor<typeof expiringDocumentsJob> = async (_payload, tools) => {
  await inBatches(tools, notifyExpiringDocuments)
}

/** Enqueues notifications of endorsements and knowledge tests that expire soon. */
export const remindOfEndorsements: JobProcessor<typeof expiringEndorsementsJob> = async (_payload, tools) => {
  await inBatches(tools, notifyExpiringEndorsements)
  await inBatches(tools, notifyExpiringTests)
}

/** Enqueues notifications of currencies that expire soon: recorded dates, and those that rest on recent flights. */
export const remindOfCurrencies: JobProcessor<typeof expiringCurrenciesJob> = async (_payload, tools) => {
  await inBatches(tools, notifyExpiringCurrencies)
  let last: number | null = 0
  while (last !== null) {
    const after: number = last
    last = await tools.transaction((tx) => notifyLapsingCurrencies(tx, after))
  }
}

/**
 * Reviews every resource with a squawk whose deferral has ended, or a maintenance item whose status has changed since
 * its last notification, each in its own transaction.
 */
export const reviewMaintenanceDue: JobProcessor<typeof reviewMaintenance> = async (_payload, tools) => {
  const { db } = tools.database
  const now = tools.clock()
  for (const resource of [...(await findEndedDeferrals(db, now)), ...(await findResourcesToReview(db, now))]) {
    await tools.transaction((tx) => reviewDue(tx, resource))
  }
}
