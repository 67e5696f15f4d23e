import type { Queue, Job as QueuedJob } from 'bullmq'
import { applyLoosenedControls } from '../../../shared/identity/organizations/apply-loosened.ts'
import type { applyLoosened, clearQueues } from '../../../shared/identity/organizations/organizations.jobs.ts'
import { queueNames } from '../../../shared/platform/contracts/define-job.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

const SLICE = 500

/** Puts looser values of an organization's money controls into effect, 24 hours after the change. */
export const applyLoosenedProcessor: JobProcessor<typeof applyLoosened> = (payload, tools) =>
  tools.transaction((tx) => applyLoosenedControls(tx, payload))

/**
 * Removes the queued jobs of a deleted organization. A job that is already running does nothing, because its records
 * are deleted.
 */
export const clearQueuesProcessor: JobProcessor<typeof clearQueues> = async ({ deletedOrganizationId }, tools) => {
  for (const name of queueNames) {
    const queue = tools.queues.queue(name)
    for (const job of await waitingFor(queue, deletedOrganizationId)) await queue.remove(job.id ?? '')
  }
}

/**
 * Returns the queued jobs of an organization. All are collected before any is removed, since a removal shifts the
 * positions of later jobs.
 */
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
