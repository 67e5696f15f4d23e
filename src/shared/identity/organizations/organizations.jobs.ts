import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/** Mails the link of an invitation. */
export const sendInvitation = defineJob({
  name: 'organizations.send-invitation',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), invitationId: z.int() }),
})

/**
 * Mails an owner of a deleted organization that it is deleted. The payload carries the mail's facts, since the
 * organization no longer exists.
 */
export const mailOrganizationDeleted = defineJob({
  name: 'organizations.mail-organization-deleted',
  queue: 'email',
  payload: z.object({ accountId: z.int(), byAccountId: z.int(), organization: z.string(), at: z.iso.datetime() }),
})

/** Mails a person whether their join request was approved. */
export const mailJoinDecision = defineJob({
  name: 'organizations.mail-join-decision',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), joinRequestId: z.int() }),
})

/** The commands of operators that make an owner or change an owner's account. */
export const operatorCommands = ['owner create', 'owner reset-password', 'owner sign-out', 'org create'] as const

/** Mails an owner of an organization what an operator did to an owner's account, and when. */
export const mailOperatorActed = defineJob({
  name: 'organizations.mail-operator-acted',
  queue: 'email',
  payload: z.object({
    organizationId: z.int(),
    /** The account of the owner who gets the mail. */
    accountId: z.int(),
    aboutAccountId: z.int(),
    command: z.enum(operatorCommands),
    at: z.iso.datetime(),
  }),
})

/**
 * The changes that all owners are mailed about: of owners, of who can take money (a member is a cashier, or a cashier and a
 * registrar), and that overrides no longer need the paper.
 */
const ownerChanges = [
  'invited',
  'made',
  'joined',
  'unmade',
  'removed',
  'cashier',
  'cashier_registrar',
  'papers_waived',
] as const

export type OwnerChange = (typeof ownerChanges)[number]

/** Mails an owner one of these changes. */
export const mailOwnerChanged = defineJob({
  name: 'organizations.mail-owner-changed',
  queue: 'email',
  payload: z.object({
    organizationId: z.int(),
    /** The account that gets the mail. */
    accountId: z.int(),
    /** The member who made the change; null when no member did. */
    by: z.int().nullable(),
    change: z.enum(ownerChanges),
    orgUserId: z.int().nullable(),
    invitationId: z.int().nullable(),
  }),
})

/** Puts the looser values of money controls into effect 24 hours after the change. */
export const applyLoosened = defineJob({
  name: 'organizations.apply-loosened',
  queue: 'upkeep',
  payload: z.object({ organizationId: z.int() }),
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

/** Mails an owner that the member `by` has read very many members within an hour. */
export const mailWideReading = defineJob({
  name: 'members.mail-wide-reading',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), orgUserId: z.int(), by: z.int() }),
})
