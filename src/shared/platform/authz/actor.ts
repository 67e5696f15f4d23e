import type { PlainError } from '../kernel/error-catalogue.ts'
import { platformErrors } from '../platform.errors.ts'
import type { DeskGrant } from './desk-grants.rules.ts'
import type { OrganizationSettings } from './organization-settings.ts'
import { hasRole, type Role, type RoleFlags } from './roles.ts'

/** A signed-in person. `member` is their membership in the token's organization. */
export interface Account {
  accountId: number
  name: string
  email: string
  /** True for a verified address, and for the founder of a demo organization, which receives no mail. */
  emailVerified: boolean
  /** The instant of the sign-in. Refreshed tokens keep it. */
  authTime: Date
  member: Actor | null
}

/** The member who makes the request, with membership, roles and settings. Read from the database on every request. */
export interface Actor {
  accountId: number
  orgUserId: number
  organizationId: number
  name: string
  emailVerified: boolean
  roles: RoleFlags
  /** The import that makes the changes; undefined for other work. Nobody is notified of the single records of an import. */
  operationId?: number
  /** Whether a job acts in the name of this owner, who did not request the work. What it raises is not the owner's own act. */
  standsIn?: boolean
  /** The desk grant that let the member in where their roles did not; undefined where the roles did. */
  grant?: DeskGrant
  organization: { name: string; demo: boolean; timeZoneName: string; settings: OrganizationSettings }
}

/** Returns whether the actor has one of the roles. */
export function is(actor: Actor, wanted: readonly Role[]): boolean {
  return hasRole(actor.roles, wanted)
}

/** Ensures that the actor has one of the roles. */
export function assertIs(
  actor: Actor,
  wanted: readonly Role[],
  refusal: PlainError<403> = platformErrors.notAllowed,
): void {
  if (!is(actor, wanted)) throw refusal()
}

/**
 * Ensures that the account's address is verified. Actions that contact other people require this.
 * Implements interface §Authentication rule 7.
 * @throws Forbidden EMAIL_NOT_VERIFIED when it is not
 */
export function assertIsVerified(account: { emailVerified: boolean }): void {
  if (!account.emailVerified) {
    throw platformErrors.emailNotVerified()
  }
}
