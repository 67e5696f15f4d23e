import { findAddressee } from '../../../shared/identity/accounts/account.queries.ts'
import { findInvitationToMail } from '../../../shared/identity/joining/invitation.queries.ts'
import { findDecisionToMail } from '../../../shared/identity/joining/join-request.queries.ts'
import { findOwnerToMail } from '../../../shared/identity/members/owner.queries.ts'
import type {
  mailJoinDecision,
  mailOrganizationDeleted,
  mailWideReading,
  sendInvitation,
} from '../../../shared/identity/organizations/organizations.jobs.ts'
import { rolesOf } from '../../../shared/platform/authz/roles.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { cleanName } from '../../../shared/platform/kernel/text.ts'
import { sendMail } from '../../platform/send-mail.ts'

/**
 * Mails the link of an invitation, unless it is used, withdrawn or expired. The inviter chooses the address and the
 * names, so the mail sanitizes the names and carries no other text of the inviter.
 * Implements interface §Organizations, POST /organizations/invite.
 */
export const sendInvitationProcessor: JobProcessor<typeof sendInvitation> = async (payload, tools, run) => {
  const { organizationId, invitationId } = payload
  const row = await findInvitationToMail(tools.database.db, organizationId, invitationId, tools.clock())
  if (!row) return
  const organization = cleanName(row.organization)
  const name = cleanName(row.name ?? '')
  const token = tools.mailTokens.tokenOf(row.seed)
  await sendMail(tools, run, {
    to: { name: name || row.email, address: row.email },
    subject: `You are invited to ${organization}`,
    paragraphs: [
      `Hello ${name}`.trim().concat(','),
      `${organization} invites you to join as ${new Intl.ListFormat('en').format(rolesOf(row))}. The invitation is open for 14 days.`,
      'Please do not forward this mail: until the invitation is accepted, anybody who has its link can sign up with your address.',
    ],
    action: { label: 'Accept the invitation', url: `${tools.config.PUBLIC_URL}/invitation#token=${token}` },
    group: 'joining',
    reason: 'owed',
    unproven: true,
    about: { invitationId },
    footer: `You get this mail because somebody at ${organization} entered this address.`,
    organizationId,
  })
}

/** Mails a person the decision on their join request, unless the organization or the account is deleted. */
export const mailJoinDecisionProcessor: JobProcessor<typeof mailJoinDecision> = async (payload, tools, run) => {
  const row = await findDecisionToMail(tools.database.db, payload.organizationId, payload.joinRequestId)
  if (!row) return
  const { subject, text } = templates[row.status](cleanName(row.organization))
  await sendMail(tools, run, {
    to: { name: row.name, address: row.email },
    subject,
    paragraphs: [`Hello ${row.name},`, text],
    footer: `You get this mail because you asked to join ${row.organization}.`,
    group: 'joining',
    ...(row.orgUserId !== null && { about: { orgUserId: row.orgUserId, matter: 'joining' } }),
    organizationId: payload.organizationId,
  })
}

const templates = {
  approved: (organization: string) => ({
    subject: `You are a member of ${organization}`,
    text: `${organization} has approved your request to join. Sign in and switch to it to begin.`,
  }),
  declined: (organization: string) => ({
    subject: `Your request to join ${organization}`,
    text: `${organization} has declined your request to join. Please ask them if you think that this is a mistake.`,
  }),
}

/**
 * Mails a former owner that the organization was deleted, and by whom. Sends nothing when the account of the former
 * owner is deleted.
 */
export const mailOrganizationDeletedProcessor: JobProcessor<typeof mailOrganizationDeleted> = async (
  payload,
  tools,
  run,
) => {
  const { db } = tools.database
  const owner = await findAddressee(db, payload.accountId)
  if (!owner) return
  const by = await findAddressee(db, payload.byAccountId)
  const organization = cleanName(payload.organization)
  await sendMail(tools, run, {
    to: { name: owner.name, address: owner.email },
    subject: `${organization} was deleted`,
    paragraphs: [
      `Hello ${owner.name},`,
      `${by ? cleanName(by.name) : 'An owner'} deleted ${organization} with every record in it on ` +
        `${payload.at.slice(0, 16).replace('T', ' ')} UTC.`,
      'If this was a mistake, please write to the operators of this service: a backup may still have the records.',
    ],
    footer: `You get this mail because you were an owner of ${organization}.`,
    organizationId: null,
    group: 'security',
  })
}

/**
 * Mails an owner that a member who is not an admin has read more than 2,000 members within an hour. Sends nothing when
 * the recipient is no longer an owner.
 */
export const mailWideReadingProcessor: JobProcessor<typeof mailWideReading> = async (payload, tools, run) => {
  const found = await findOwnerToMail(tools.database.db, payload)
  if (!found) return
  const { name, address, organization, by } = found
  await sendMail(tools, run, {
    to: { name, address },
    subject: `One account reads the data of many members of ${cleanName(organization)}`,
    paragraphs: [
      `Hello ${name},`,
      `The account of ${by}, who is not an admin, has read more than 2,000 members of ${cleanName(organization)} within an hour.`,
      'If this is not part of their work, somebody else may know their password: remove them, and check the audit log.',
    ],
    footer: `You get this mail as an owner of ${cleanName(organization)}.`,
    group: 'security',
    about: { orgUserId: payload.orgUserId, matter: 'reading' },
    organizationId: payload.organizationId,
  })
}
