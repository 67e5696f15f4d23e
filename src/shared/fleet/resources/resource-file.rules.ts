import { hasRole, type RoleFlags, staff } from '../../platform/authz/roles.ts'

export const fileCategories = ['poh', 'weight_and_balance', 'insurance', 'form_337', 'logbook_scan', 'other'] as const
export type FileCategory = (typeof fileCategories)[number]

/** `bookers`: every member; `staff`: staff and technicians. */
export const fileVisibilities = ['bookers', 'staff'] as const
export type FileVisibility = (typeof fileVisibilities)[number]

/** The most files of one upload. */
export const MAX_FILES = 5

/** Returns the default visibility of a category: every member for papers needed to fly, staff for the others. */
export function defaultVisibility(category: FileCategory): FileVisibility {
  return category === 'poh' || category === 'weight_and_balance' ? 'bookers' : 'staff'
}

/** Returns the visibilities that a member's roles may read. Implements interface §Resources. */
export function readableVisibilities(roles: RoleFlags): readonly FileVisibility[] {
  return hasRole(roles, [...staff, 'technician']) ? fileVisibilities : ['bookers']
}
