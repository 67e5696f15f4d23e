/**
 * The seven roles of a membership. A member can have several.
 * Implements interface §User and organization.
 */
export const roles = ['owner', 'admin', 'dispatcher', 'instructor', 'student', 'renter', 'technician'] as const

export type Role = (typeof roles)[number]

/** One flag per role of a membership. */
export type RoleFlags = Record<Role, boolean>

/** Returns one flag per role; a flag that `source` does not have is false. */
export function roleFlags(source: Partial<RoleFlags> | null | undefined): RoleFlags {
  const flags = {} as RoleFlags
  for (const role of roles) flags[role] = source?.[role] === true
  return flags
}

/** Returns the names of the roles that are set. */
export function rolesOf(source: Partial<RoleFlags>): Role[] {
  return roles.filter((role) => source[role] === true)
}

/** Desk staff: the roles that run the desk. */
export const deskStaff = ['owner', 'admin', 'dispatcher'] as const satisfies Role[]
/** The roles that may add, change and delete the files of an aircraft. */
export const fileKeepers = [...deskStaff, 'technician'] as const

/** Staff: desk staff and instructors. */
export const staff = ['owner', 'admin', 'dispatcher', 'instructor'] as const satisfies Role[]

/** The roles with the rights of an admin. Owners have all these rights. */
export const admins = ['owner', 'admin'] as const satisfies Role[]

/** Returns whether any of the wanted roles is set. */
export function hasRole(flags: Partial<RoleFlags>, wanted: readonly Role[]): boolean {
  return wanted.some((role) => flags[role] === true)
}
