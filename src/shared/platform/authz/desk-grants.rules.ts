import type { Role } from './roles.ts'

/** The rights at the desk that an admin can give to a member beyond the member's roles. Implements interface §Desk grants. */
export const deskGrants = ['cashier', 'registrar'] as const
export type DeskGrant = (typeof deskGrants)[number]

/** The roles of which a member needs one to hold a desk grant. */
export const deskGrantHolders = ['dispatcher', 'instructor'] as const satisfies Role[]
