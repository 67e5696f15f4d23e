import { hasRole, type RoleFlags, staff } from '../../platform/authz/roles.ts'
import { aircraftFileCategories } from '../../platform/authz/rule-settings.ts'

/** The kinds of resource. The kind of a resource never changes. */
export const resourceKinds = ['plane', 'simulator', 'room'] as const

export type ResourceKind = (typeof resourceKinds)[number]

export const planeCategories = ['airplane', 'helicopter', 'glider', 'other'] as const
export const fuelUnits = ['gallons', 'liters', 'pounds'] as const
/** Full flight simulator, flight training device, advanced and basic aviation training device. */
export const deviceKinds = ['ffs', 'ftd', 'aatd', 'batd'] as const

/** The fields that only one kind of resource has: the inner fields of the `type` object. */
export interface ResourceTraits {
  engines?: 1 | 2
  category?: (typeof planeCategories)[number]
  /** The class as on a pilot certificate, such as `single_engine_land`. */
  class?: string | null
  /** The unit of the aircraft's fuel figures. */
  fuelUnits?: (typeof fuelUnits)[number]
  tailwheel?: boolean
  /** The required type rating (14 CFR 61.31(a)), such as `CE-525`; an empty text is none. */
  typeRating?: string | null
  complex?: boolean
  highPerformance?: boolean
  /** Technically advanced airplane: 14 CFR 61.129(j). */
  taa?: boolean
  deviceKind?: (typeof deviceKinds)[number] | null
  seats?: number | null
}

/**
 * The bookings that an overdue item holds: all; those for hire or instruction (14 CFR 91.409(b)); or those under
 * instrument flight rules (91.411).
 */
export const maintenanceScopes = ['all', 'for_hire_or_instruction', 'ifr'] as const
export type MaintenanceScope = (typeof maintenanceScopes)[number]

/** A maintenance item that holds the bookings of its scope. */
export interface MaintenanceHold {
  reminderId: number
  scope: MaintenanceScope
  name: string
}

export const fileCategories = aircraftFileCategories
export type FileCategory = (typeof fileCategories)[number]

/** The categories that every member may read by default: documents that a pilot needs to fly. */
const forBookers: readonly FileCategory[] = ['poh', 'weight_and_balance', 'registration', 'airworthiness']

/** `bookers`: every member; `staff`: staff and technicians. */
export const fileVisibilities = ['bookers', 'staff'] as const
export type FileVisibility = (typeof fileVisibilities)[number]

/** The most files of one upload. */
export const MAX_FILES = 5

/**
 * Returns the default visibility of a category: every member for documents that a pilot needs to fly, staff for the
 * others.
 * Implements interface §Resource (ResourceFile).
 */
export function defaultVisibility(category: FileCategory): FileVisibility {
  return forBookers.includes(category) ? 'bookers' : 'staff'
}

/** Returns the visibilities that a member's roles may read. Implements interface §Resources. */
export function readableVisibilities(roles: RoleFlags): readonly FileVisibility[] {
  return hasRole(roles, [...staff, 'technician']) ? fileVisibilities : ['bookers']
}
