import { z } from 'zod'
import type { SignedIn } from '../../../shared/identity/accounts/sign-in.ts'
import { findOwnUser } from '../../../shared/identity/members/user.queries.ts'
import { findOrganizations } from '../../../shared/identity/organizations/organization.queries.ts'
import { admins, hasRole } from '../../../shared/platform/authz/roles.ts'
import { iso } from '../../http/iso.ts'
import { Instant } from '../../http/schemas.ts'
import type { Services } from '../../http/services.ts'
import { User, userView } from '../members/user.view.ts'
import { Organization, organizationView } from '../organizations/organization.view.ts'

/** The signed-in user, the active organization and a bearer token for it. */
export const AuthEnvelope = z
  .object({
    user: User,
    organization: Organization.nullable().describe(
      'The active organization; null until the account creates or joins one',
    ),
    token: z.string().describe('Send it as `Authorization: Bearer …`. Valid for 30 days'),
    expiresAt: Instant,
  })
  .meta({ id: 'AuthEnvelope' })

/**
 * Issues a token for the account in an organization, and returns it with the user and the organization. With
 * `inherited`, the token keeps the authentication time of the caller's token; without it, this request proved the
 * person's identity.
 * Implements interface §Auth envelope.
 */
export async function authEnvelope(
  { database: { db }, tokens, clock }: Services,
  signedIn: SignedIn,
  inherited?: { authTime: Date },
): Promise<z.input<typeof AuthEnvelope>> {
  const [user, organizations, issued] = await Promise.all([
    findOwnUser(db, signedIn.accountId, signedIn.organizationId),
    findOrganizations(db, signedIn.organizationId === null ? [] : [signedIn.organizationId]),
    tokens.issue({ ...signedIn, authTime: authTimeOf(signedIn, inherited) }, clock()),
  ])
  const organization = organizations[0]
  return {
    user: userView(user),
    organization: organization ? organizationView(organization, hasRole(user, admins) ? 'admin' : 'public') : null,
    token: issued.token,
    expiresAt: iso(issued.expiresAt),
  }
}

function authTimeOf({ authTime }: SignedIn, inherited?: { authTime: Date }): Date {
  if (authTime !== undefined) return new Date(authTime)
  if (!inherited) throw new Error('a token must inherit a proof, or be one')
  return inherited.authTime
}
