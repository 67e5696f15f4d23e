import { admins, deskStaff, hasRole, type Role, type RoleFlags, roles } from '../authz/roles.ts'

/** The kinds of operations. */
export const operationKinds = ['reservation_bulk', 'import', 'invoice_batch', 'export', 'person_export'] as const

export type OperationKind = (typeof operationKinds)[number]

/**
 * The roles for each kind of operation. A member needs one of them to start an operation, to read it, and while it
 * runs.
 */
export const operationRoles: Readonly<Record<OperationKind, readonly Role[]>> = {
  reservation_bulk: deskStaff,
  import: admins,
  invoice_batch: admins,
  export: ['owner'],
  person_export: roles,
}

/** Returns the kinds of operations that a member with these roles may start and read. */
export function kindsFor(roles: RoleFlags): OperationKind[] {
  return operationKinds.filter((kind) => hasRole(roles, operationRoles[kind]))
}
