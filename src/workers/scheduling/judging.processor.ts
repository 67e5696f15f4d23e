import { inBatches } from '../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'
import { judgeMarked, markAhead } from '../../shared/scheduling/at-risk/judge-marked.ts'
import { judgeWeatherAhead } from '../../shared/scheduling/reservations/judge-weather-ahead.ts'
import { findStationsToJudge } from '../../shared/scheduling/reservations/weather-ahead.queries.ts'
import type * as jobs from '../../shared/scheduling/scheduling.jobs.ts'
import { updateWeather } from '../../shared/scheduling/weather/update-weather.ts'

/** Marks all bookings ahead to be judged. */
export const markAtRiskProcessor: JobProcessor<typeof jobs.markAtRisk> = async (_payload, tools) => {
  await tools.transaction(markAhead)
}

/** Judges the bookings ahead of an organization that changes concern. */
export const judgeAtRiskProcessor: JobProcessor<typeof jobs.judgeAtRisk> = async ({ organizationId }, tools) => {
  await tools.transaction((tx) => judgeMarked(tx, organizationId))
}

/** Fetches the weather of flights that start within two hours, and enqueues notices of what is outside of somebody's limits. */
export const judgeWeatherProcessor: JobProcessor<typeof jobs.judgeWeather> = async (_payload, tools) => {
  const { db } = tools.database
  for (const station of await findStationsToJudge(db, tools.clock())) await updateWeather(db, tools, station)
  await inBatches(tools, judgeWeatherAhead)
}
