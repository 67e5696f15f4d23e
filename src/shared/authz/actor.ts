import type pg from 'pg'
import type { TokenClaims } from '../adapters/tokens/access-tokens.ts'
import { Forbidden } from '../kernel/errors.ts'
import { type OrganizationSettings, readSettings } from '../organizations/settings.ts'
import { hasRole, type Role, type RoleFlags, roleFlags } from './roles.ts'

/** A signed-in person. Who they are in the organization of their token is in `member`. */
export interface Account {
  accountId: number
  name: string
  email: string
  emailVerified: boolean
  member: Actor | null
}

/** A member who acts: membership, roles and the organization's rules, read from the database on every request. */
export interface Actor {
  accountId: number
  orgUserId: number
  organizationId: number
  name: string
  emailVerified: boolean
  roles: RoleFlags
  organization: { name: string; demo: boolean; timeZoneName: string; settings: OrganizationSettings }
}

interface ActorRow extends Record<Role, boolean | null> {
  name: string
  email: string
  email_verified_at: Date | null
  tokens_valid_from: Date
  membership_id: number | null
  organization_id: number | null
  organization_name: string
  demo: boolean
  time_zone_name: string
  settings: Record<string, unknown>
}

const readActorStatement = `
  select a.name, a.email, a.email_verified_at, a.tokens_valid_from,
         m.id as membership_id, m.organization_id,
         m.owner, m.admin, m.dispatcher, m.instructor, m.student, m.renter, m.technician,
         o.name as organization_name, o.demo, o.time_zone_name, o.settings
    from account a
    left join membership m
      on m.id = $2 and m.account_id = a.id and m.organization_id = $3 and m.removed_at is null
    left join organization o on o.id = m.organization_id
   where a.id = $1 and a.deleted_at is null`

/**
 * The person a token stands for, as the database knows them now: one indexed read. Null when the account is gone,
 * when its tokens were ended (password reset), or when the membership that the token names is no longer theirs.
 */
export async function readAccount(pool: pg.Pool, claims: TokenClaims): Promise<Account | null> {
  const { rows } = await pool.query<ActorRow>({
    name: 'read-actor',
    text: readActorStatement,
    values: [claims.accountId, claims.membershipId, claims.organizationId],
  })
  const row = rows[0]
  if (!row || claims.issuedAt < row.tokens_valid_from) return null
  if (claims.membershipId !== null && row.membership_id === null) return null
  const emailVerified = row.email_verified_at !== null
  const { accountId } = claims
  return {
    accountId,
    name: row.name,
    email: row.email,
    emailVerified,
    member:
      row.membership_id === null || row.organization_id === null
        ? null
        : {
            accountId,
            orgUserId: row.membership_id,
            organizationId: row.organization_id,
            name: row.name,
            emailVerified,
            roles: roleFlags(row as RoleFlags),
            organization: {
              name: row.organization_name,
              demo: row.demo,
              timeZoneName: row.time_zone_name,
              settings: readSettings(row.settings),
            },
          },
  }
}

/** Whether the actor has one of the roles. */
export function is(actor: Actor, wanted: readonly Role[]): boolean {
  return hasRole(actor.roles, wanted)
}

/** Lets the actor pass when they have one of the roles. @throws Forbidden otherwise. */
export function mustBe(actor: Actor, wanted: readonly Role[], message?: string): void {
  if (!is(actor, wanted)) throw new Forbidden(message)
}

/**
 * Reaching other people (inviting, joining, invoicing, reminding, announcing) waits for a verified address.
 * @throws Forbidden EMAIL_NOT_VERIFIED
 */
export function mustBeVerified(account: { emailVerified: boolean }): void {
  if (!account.emailVerified) {
    throw new Forbidden(
      'Please confirm your email address first: open the link that we mailed you.',
      'EMAIL_NOT_VERIFIED',
    )
  }
}
