import { inBatches } from '../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'
import { judgeMarked, markAhead } from '../../shared/scheduling/at-risk/judge-marked.ts'
import { judgeWeatherAhead } from '../../shared/scheduling/reservations/judge-weather-ahead.ts'
import { findStationsToJudge } from '../../shared/scheduling/reservations/weather-ahead.queries.ts'
import type * as jobs from '../../shared/scheduling/scheduling.jobs.ts'
import { updateWeather } from '../../shared/scheduling/weather/update-weather.ts'

/**
 * Marks all future bookings of every organization, so that a job checks whether they are at risk. Time alone can change
 * that.
 */
export const markAtRiskProcessor: JobProcessor<typeof jobs.markAtRisk> = async (_payload, tools) => {
  await tools.transaction(markAhead)
}

/** Checks the future bookings that the marks of an organization affect, and stores which of them are at risk. */
export const judgeAtRiskProcessor: JobProcessor<typeof jobs.judgeAtRisk> = async ({ organizationId }, tools) => {
  await tools.transaction((tx) => judgeMarked(tx, organizationId))
}

/**
 * Fetches the weather at the stations of due flights, and enqueues one notification per due flight. A flight is due
 * when it starts within two hours, has people with weather limits, and its organization checks these limits. Whether
 * the weather is outside the limits is checked when the notification is delivered.
 */
export const judgeWeatherProcessor: JobProcessor<typeof jobs.judgeWeather> = async (_payload, tools) => {
  const { db } = tools.database
  for (const station of await findStationsToJudge(db, tools.clock())) await updateWeather(db, tools, station)
  await inBatches(tools, judgeWeatherAhead)
}
