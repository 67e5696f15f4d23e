import { z } from 'zod'
import { defineJob } from '../jobs/define-job.ts'

/** Mails the link of an invitation. */
export const sendInvitation = defineJob({
  name: 'organizations.send-invitation',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), invitationId: z.int() }),
})

/** Mails somebody whether their join request was approved. */
export const tellJoinDecision = defineJob({
  name: 'organizations.tell-join-decision',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), joinRequestId: z.int() }),
})
