import type { Queue, Job as QueuedJob } from 'bullmq'
import type { clearQueues } from '../../../shared/identity/organizations/organizations.jobs.ts'
import { queueNames } from '../../../shared/platform/jobs/define-job.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

const SLICE = 500

/** Removes the waiting jobs of a deleted organization; one that runs at this moment finds its record gone. */
export const clearQueuesOfOrganization: JobProcessor<typeof clearQueues> = async ({ deletedOrganizationId }, tools) => {
  for (const name of queueNames) {
    const queue = tools.queues.queue(name)
    for (const job of await waitingFor(queue, deletedOrganizationId)) await queue.remove(job.id ?? '')
  }
}

/** Found before any is removed: removing shifts the places of those behind. */
async function waitingFor(queue: Queue, organizationId: number): Promise<QueuedJob[]> {
  const found: QueuedJob[] = []
  for (const state of ['waiting', 'delayed', 'prioritized'] as const) {
    for (let at = 0; ; at += SLICE) {
      const jobs: QueuedJob[] = await queue.getJobs([state], at, at + SLICE - 1)
      found.push(...jobs.filter((job) => job?.data?.organizationId === organizationId))
      if (jobs.length < SLICE) break
    }
  }
  return found
}
