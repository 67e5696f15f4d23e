/** The seven roles of a membership, in the order of the specification. They add up. */
export const roles = ['owner', 'admin', 'dispatcher', 'instructor', 'student', 'renter', 'technician'] as const

export type Role = (typeof roles)[number]

/** Which roles a membership has, one flag each. */
export type RoleFlags = Record<Role, boolean>

/** The seven flags of anything that carries them; one left out is false. */
export function roleFlags(source: Partial<RoleFlags> | null | undefined): RoleFlags {
  const flags = {} as RoleFlags
  for (const role of roles) flags[role] = source?.[role] === true
  return flags
}

/** The names of the roles that are set. */
export function rolesOf(source: Partial<RoleFlags>): Role[] {
  return roles.filter((role) => source[role] === true)
}

/** Owner, admin and dispatcher: those who run the desk. */
export const deskStaff = ['owner', 'admin', 'dispatcher'] as const satisfies Role[]
/** Who adds, changes and deletes the files on an aircraft. */
export const fileKeepers = [...deskStaff, 'technician'] as const

/** Desk staff and instructors. */
export const staff = ['owner', 'admin', 'dispatcher', 'instructor'] as const satisfies Role[]

/** An owner counts as an admin wherever an admin may act. */
export const admins = ['owner', 'admin'] as const satisfies Role[]

/** Whether any of the wanted roles is set. */
export function hasRole(flags: Partial<RoleFlags>, wanted: readonly Role[]): boolean {
  return wanted.some((role) => flags[role] === true)
}
