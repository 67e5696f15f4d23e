import { z } from 'zod'
import { defineJob } from './define-job.ts'

/** Calls the subscriptions with the events of one transaction, and with earlier pending events of the same subjects. */
export const fanOutEvents = defineJob({
  name: 'events.fan-out-events',
  queue: 'notifications',
  atOnce: true,
  payload: z.object({ organizationId: z.int(), events: z.array(z.uuid()).min(1) }),
})
