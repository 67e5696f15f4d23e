import { z } from 'zod'
import type { findInvitationByToken, InvitationRow } from '../../../shared/identity/joining/invitation.queries.ts'
import { roleFlags } from '../../../shared/platform/authz/roles.ts'
import { iso } from '../../http/iso.ts'
import { personView } from '../../http/persons.ts'
import { RoleFlagsView } from '../../http/role-schemas.ts'
import { Id, Instant, NamedReference, Person } from '../../http/schemas.ts'
import { UndeliveredMail, undeliveredView } from '../../platform/deliveries/undelivered-mail.view.ts'

/** An invitation. */
export const Invitation = z
  .object({
    id: Id,
    email: z.string(),
    name: z.string().nullable(),
    ...RoleFlagsView.shape,
    orgUserId: Id.nullable().describe(
      'The managed member whose membership the invited person takes over on accepting; null when the invitation ' +
        'makes a new member',
    ),
    invitedBy: Person,
    expiresAt: Instant,
    expired: z.boolean(),
    acceptedAt: Instant.nullable().describe('null: nobody has accepted it'),
    undeliveredMail: UndeliveredMail,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Invitation' })

export function invitationView(row: InvitationRow, now: Date): z.input<typeof Invitation> {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    ...roleFlags(row),
    orgUserId: row.membership_id,
    invitedBy: personView(row.invited_by, row.invited_by_name),
    expiresAt: iso(row.expires_at),
    expired: row.expires_at <= now,
    acceptedAt: iso(row.accepted_at),
    undeliveredMail: undeliveredView(row.undelivered),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** An invitation as the person with the link sees it before accepting. */
export const OpenInvitation = z
  .object({
    organization: NamedReference,
    email: z.string().nullable().describe('null when the invitation is to a managed membership'),
    name: z.string().nullable(),
    ...RoleFlagsView.shape,
    registered: z.boolean().describe('Whether the address already has an account'),
    expiresAt: Instant,
  })
  .meta({ id: 'OpenInvitation' })

export function openInvitationView(
  row: Awaited<ReturnType<typeof findInvitationByToken>>,
): z.input<typeof OpenInvitation> {
  const claims = row.membership_id !== null
  return {
    organization: { id: row.organization_id, name: row.organization },
    email: claims ? null : row.email,
    name: claims ? null : row.name,
    ...roleFlags(claims ? {} : row),
    registered: !claims && row.account_id !== null,
    expiresAt: iso(row.expires_at),
  }
}
