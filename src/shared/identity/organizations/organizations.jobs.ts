import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Mails the link of an invitation. */
export const sendInvitation = defineJob({
  name: 'organizations.send-invitation',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), invitationId: z.int() }),
})

/**
 * Mails an account that owned an organization that it is deleted. The payload has what the mail says, since the
 * organization is gone.
 */
export const organizationDeletedMail = defineJob({
  name: 'organizations.tell-deleted',
  queue: 'email',
  payload: z.object({ accountId: z.int(), byAccountId: z.int(), organization: z.string(), at: z.iso.datetime() }),
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
