import { type DeskGrant, deskGrantHolders } from '../authz/desk-grants.rules.ts'
import { admins, deskStaff, hasRole, type Role, type RoleFlags, roles } from '../authz/roles.ts'

/** The kinds of operations. */
export const operationKinds = [
  'reservation_bulk',
  'import',
  'invoice_batch',
  'export',
  'person_export',
  'recovery',
] as const

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
  recovery: [...deskStaff, 'technician'],
}

/** The kinds of which desk staff may read all: what the desk plans is the desk's. Others read what they started. */
export const sharedAtDesk: readonly OperationKind[] = ['recovery']

/** The desk grant with which a member without the roles may start an operation of a kind, and while it runs. */
export const operationGrants: Partial<Record<OperationKind, DeskGrant>> = { invoice_batch: 'cashier' }

/**
 * Returns the kinds of operations that a member with these roles may read; those who can hold a grant may read what
 * they started with it.
 */
export function kindsFor(roles: RoleFlags): OperationKind[] {
  const mayHold = hasRole(roles, deskGrantHolders)
  return operationKinds.filter(
    (kind) => hasRole(roles, operationRoles[kind]) || (mayHold && operationGrants[kind] !== undefined),
  )
}
