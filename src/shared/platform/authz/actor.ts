import { Forbidden } from '../kernel/errors.ts'
import type { OrganizationSettings } from './organization-settings.ts'
import { hasRole, type Role, type RoleFlags } from './roles.ts'

/** A signed-in person. Who they are in the organization of their token is in `member`. */
export interface Account {
  accountId: number
  name: string
  email: string
  /** The address is proved, or the account founded a demo organization, whose mails nobody reads. */
  emailVerified: boolean
  /** The instant of the last sign-in that the token stands for. */
  authTime: Date
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
