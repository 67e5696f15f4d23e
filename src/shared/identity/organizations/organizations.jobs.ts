import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Mails the link of an invitation. */
export const sendInvitation = defineJob({
  name: 'organizations.send-invitation',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), invitationId: z.int() }),
})

/** Mails a person whether their join request was approved. */
export const joinDecisionJob = defineJob({
  name: 'organizations.tell-join-decision',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), joinRequestId: z.int() }),
})

/**
 * Removes the queued jobs of a deleted organization. The payload avoids the name `organizationId`, because outbox
 * entries with that field are deleted with their organization.
 */
export const clearQueues = defineJob({
  name: 'organizations.clear-queues',
  queue: 'upkeep',
  payload: z.object({ deletedOrganizationId: z.int() }),
})
