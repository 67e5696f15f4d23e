import {
  creatableTypes,
  mayCreate,
  needsApproval,
  type ReservationType,
} from '../../fleet/resources/reservation-types.rules.ts'
import { type Role, type RoleFlags, roleFlags } from '../../platform/authz/roles.ts'

type ApprovalRequired = Readonly<Record<'student' | 'renter', boolean>>

/** What a member has to send a booking request for: these types of booking, because of these of their roles. */
export interface ApprovalPolicy {
  types: ReservationType[]
  roles: Role[]
}

/** Which of a member's bookings need approval. None does that another role of theirs books at once. */
export function approvalPolicy(flags: RoleFlags, approvalRequired: ApprovalRequired): ApprovalPolicy {
  const types = creatableTypes(flags).filter((type) => needsApproval(flags, type, approvalRequired))
  const roles = (['student', 'renter'] as const).filter(
    (role) =>
      flags[role] && approvalRequired[role] && types.some((type) => mayCreate(roleFlags({ [role]: true }), type)),
  )
  return { types, roles }
}
