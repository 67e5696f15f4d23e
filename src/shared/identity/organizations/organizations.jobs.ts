import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Mails the link of an invitation. */
export const sendInvitation = defineJob({
  name: 'organizations.send-invitation',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), invitationId: z.int() }),
})

/** Mails somebody whether their join request was approved. */
export const joinDecisionJob = defineJob({
  name: 'organizations.tell-join-decision',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), joinRequestId: z.int() }),
})

/**
 * Takes what still waits for a deleted organization out of the queues. It names it apart from `organizationId`,
 * because an owed job goes with its organization, and this one must outlive it.
 */
export const clearQueues = defineJob({
  name: 'organizations.clear-queues',
  queue: 'upkeep',
  payload: z.object({ deletedOrganizationId: z.int() }),
})
