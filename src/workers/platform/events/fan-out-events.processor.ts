import { subscriptions } from '../../../shared/composition/subscriptions.ts'
import type { fanOutEvents } from '../../../shared/platform/events/events.jobs.ts'
import { fanOut } from '../../../shared/platform/events/fan-out.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

/** Tells every subscriber of a transaction's events, in one transaction. */
export const fanOutToSubscribers: JobProcessor<typeof fanOutEvents> = async ({ organizationId }, tools, run) => {
  await tools.transaction((tx) => fanOut(tx, subscriptions, { id: run.id, organizationId }))
}
