import type { TestApp } from './app.ts'

/** Returns the delayed jobs of a queue, without the next runs of its schedules, which are always ahead. */
export async function delayedJobs(
  { core }: Pick<TestApp, 'core'>,
  queue: Parameters<TestApp['core']['queues']['queue']>[0],
) {
  const jobs = await core.queues.queue(queue).getDelayed()
  return jobs.filter(({ repeatJobKey }) => repeatJobKey === undefined)
}
