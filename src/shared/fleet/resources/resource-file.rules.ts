import { hasRole, type RoleFlags, staff } from '../../platform/authz/roles.ts'

export const fileCategories = ['poh', 'weight_and_balance', 'insurance', 'form_337', 'logbook_scan', 'other'] as const
export type FileCategory = (typeof fileCategories)[number]

/** `bookers`: every member; `staff`: staff and technicians. */
export const fileVisibilities = ['bookers', 'staff'] as const
export type FileVisibility = (typeof fileVisibilities)[number]

/** How many files one upload may bring. */
export const MAX_FILES = 5

/** Who sees a file of this category unless somebody says otherwise: what one flies by, every member. */
export function defaultVisibility(category: FileCategory): FileVisibility {
  return category === 'poh' || category === 'weight_and_balance' ? 'bookers' : 'staff'
}

/** Which files somebody may read. */
export function readableVisibilities(roles: RoleFlags): readonly FileVisibility[] {
  return hasRole(roles, [...staff, 'technician']) ? fileVisibilities : ['bookers']
}
