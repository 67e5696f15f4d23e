import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { undeliveredJson } from '../../platform/deliveries/undelivered-mail.queries.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { invitationClosed } from './invitation.access.ts'

/** Selects the invitations of an organization, newest first. */
function selectInvitations(db: Db, organizationId: number) {
  return db
    .selectFrom('invitation')
    .innerJoin('membership', 'membership.id', 'invitation.invited_by')
    .selectAll('invitation')
    .select('membership.search_name as invited_by_name')
    .select(undeliveredJson('invitation_id', 'invitation').as('undelivered'))
    .where('invitation.organization_id', '=', organizationId)
    .orderBy('invitation.id', 'desc')
}

export type InvitationRow = Awaited<ReturnType<ReturnType<typeof selectInvitations>['execute']>>[number]

/** Lists the unaccepted invitations of an organization, expired ones included, newest first. */
export function listInvitations(db: Db, organizationId: number) {
  return pageable(db, selectInvitations(db, organizationId).where('invitation.accepted_at', 'is', null))
}

/** Returns an invitation of an organization, accepted or not. */
export async function findInvitation(db: Db, organizationId: number, id: number): Promise<InvitationRow> {
  const row = await selectInvitations(db, organizationId).where('invitation.id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/** Returns whether a mailed token belongs to an open invitation. */
export async function isOpenInvitation(db: Db, mailTokens: MailTokens, token: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('invitation')
    .select('id')
    .where('token_hash', '=', mailTokens.hashOf(token))
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the open invitation of a token, with the organization's name, the roles, and the id of the account that has
 * the invited address (null when none has).
 */
export async function findInvitationByToken(db: Db, mailTokens: MailTokens, token: string, now: Date) {
  const row = await db
    .selectFrom('invitation')
    .innerJoin('organization', 'organization.id', 'invitation.organization_id')
    .leftJoin('account', (join) =>
      join.onRef('account.email', '=', 'invitation.email').on('account.deleted_at', 'is', null),
    )
    .selectAll('invitation')
    .select(['organization.name as organization', 'account.id as account_id'])
    .where('invitation.token_hash', '=', mailTokens.hashOf(token))
    .where('invitation.accepted_at', 'is', null)
    .where('invitation.expires_at', '>', now)
    .executeTakeFirst()
  if (!row) throw invitationClosed()
  return row
}

/**
 * Returns an invitation to mail, with the organization's name; undefined when it is accepted, withdrawn or expired.
 */
export function findInvitationToMail(db: Db, organizationId: number, id: number, now: Date) {
  return db
    .selectFrom('invitation')
    .innerJoin('organization', 'organization.id', 'invitation.organization_id')
    .selectAll('invitation')
    .select('organization.name as organization')
    .where('invitation.id', '=', id)
    .where('invitation.organization_id', '=', organizationId)
    .where('invitation.accepted_at', 'is', null)
    .where('invitation.expires_at', '>', now)
    .executeTakeFirst()
}
