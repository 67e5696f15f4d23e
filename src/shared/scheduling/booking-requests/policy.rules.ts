import {
  creatableTypes,
  mayCreate,
  needsApproval,
  type ReservationType,
} from '../../fleet/resources/reservation-types.rules.ts'
import { type Role, type RoleFlags, roleFlags } from '../../platform/authz/roles.ts'

type ApprovalRequired = Readonly<Record<'student' | 'renter', boolean>>

/** The booking types for which a member needs a booking request, and the roles that require it. */
export interface ApprovalPolicy {
  types: ReservationType[]
  roles: Role[]
}

/**
 * Returns the types for which a member needs a booking request. A type that the member may book directly in another role
 * needs none. Implements interface §Booking requests (policy/me).
 */
export function approvalPolicy(flags: RoleFlags, approvalRequired: ApprovalRequired): ApprovalPolicy {
  const types = creatableTypes(flags).filter((type) => needsApproval(flags, type, approvalRequired))
  const roles = (['student', 'renter'] as const).filter(
    (role) =>
      flags[role] && approvalRequired[role] && types.some((type) => mayCreate(roleFlags({ [role]: true }), type)),
  )
  return { types, roles }
}
