import type { Role, RoleFlags } from '../../platform/authz/roles.ts'
import { reservationTypes } from '../../platform/authz/rule-settings.ts'

export { reservationTypes }

export type ReservationType = (typeof reservationTypes)[number]

/** The sides of a booking: groups of people on it. */
export const seatSides = ['instructors', 'students', 'renters', 'pilots', 'guests'] as const

export type Side = (typeof seatSides)[number]

/** The sides of members; guests have no roles. */
export type MemberSide = Exclude<Side, 'guests'>

export type ResourceKind = 'plane' | 'simulator' | 'room'

interface TypeRule {
  /** The least and most people per side; an absent side takes nobody. */
  sides: Readonly<Partial<Record<Side, readonly [least: number, most: number]>>>
  /** The exact number of people on board, for types that fix it. */
  occupants?: number
  /** The kinds of resource for the type. Every booking may be without a resource until ramp-out. */
  resources: readonly ResourceKind[]
  /** The side that is billed; null for maintenance, which bills nobody. */
  pays: Side | null
}

/**
 * Per type of booking: the sides with their limits, the kinds of resource, and the side that pays. Implements interface
 * §Reservations rule 4.
 */
export const typeRules: Readonly<Record<ReservationType, TypeRule>> = {
  solo: { sides: { students: [1, 4] }, occupants: 1, resources: ['plane'], pays: 'students' },
  shared: { sides: { pilots: [2, 4] }, resources: ['plane'], pays: 'pilots' },
  dual: { sides: { instructors: [1, 1], students: [1, 4] }, resources: ['plane'], pays: 'students' },
  ground: { sides: { instructors: [1, 1], students: [1, 12] }, resources: ['room'], pays: 'students' },
  guest: { sides: { instructors: [1, 1], guests: [1, 1] }, resources: ['plane'], pays: 'guests' },
  sim: { sides: { instructors: [0, 1], students: [1, 6] }, resources: ['simulator'], pays: 'students' },
  rental: { sides: { instructors: [0, 1], renters: [1, 4] }, resources: ['plane'], pays: 'renters' },
  maintenance: { sides: {}, resources: ['plane', 'simulator'], pays: null },
}

const typesByRole: Readonly<Record<Role, readonly ReservationType[]>> = {
  owner: reservationTypes,
  admin: reservationTypes,
  dispatcher: reservationTypes,
  instructor: ['solo', 'dual', 'ground', 'guest', 'sim'],
  student: ['solo', 'dual', 'ground', 'sim'],
  renter: ['rental', 'shared'],
  technician: ['maintenance'],
}

/** The roles that a member needs on a side; one of them is enough. */
export const rolesBySide: Readonly<Record<MemberSide, readonly Role[]>> = {
  instructors: ['instructor'],
  students: ['student'],
  renters: ['renter'],
  pilots: ['student', 'renter', 'instructor'],
}

/**
 * Returns the longest duration of a booking type in days. Except for maintenance, a longer booking is probably a typing
 * error.
 * Implements interface §Reservations (longest booking).
 */
export function longestDays(type: ReservationType): number {
  return type === 'maintenance' ? 366 : 60
}

/**
 * Returns the types of booking that a member's roles allow; roles are additive.
 * Implements interface §Reservations (types by role).
 */
export function creatableTypes(roles: RoleFlags): ReservationType[] {
  return reservationTypes.filter((type) => allowingRoles(roles, type).length > 0)
}

/**
 * Decides whether any of a member's roles allows a type of booking.
 * Implements interface §Reservations (types by role).
 */
export function mayCreate(roles: RoleFlags, type: ReservationType): boolean {
  return allowingRoles(roles, type).length > 0
}

/**
 * Decides whether a member may book a type only for themselves: every role that allows the type is student or renter,
 * so the member must be on the booking.
 * Implements interface §Reservations (types by role).
 */
export function booksForThemselves(roles: RoleFlags, type: ReservationType): boolean {
  const allowing = allowingRoles(roles, type)
  return allowing.length > 0 && allowing.every((role) => role === 'student' || role === 'renter')
}

/**
 * Decides whether a member's bookings of a type need the organization's approval: every role that allows the type
 * requires it. Only the roles student and renter can require it.
 * Implements interface §Booking requests (policy/me).
 */
export function needsApproval(
  roles: RoleFlags,
  type: ReservationType,
  approvalRequired: Readonly<Record<'student' | 'renter', boolean>>,
): boolean {
  const limited = (['student', 'renter'] as const).filter((role) => approvalRequired[role]) as Role[]
  const allowing = allowingRoles(roles, type)
  return allowing.length > 0 && allowing.every((role) => limited.includes(role))
}

/**
 * Decides whether a member may record a flight that has already begun: desk staff, instructors and technicians may;
 * students and renters may not.
 * Implements interface §Reservations (start in the past).
 */
export function mayRecordPast(roles: RoleFlags, type: ReservationType): boolean {
  return roles.instructor || !booksForThemselves(roles, type)
}

/** Decides whether a member has one of the roles of a side. Implements interface §Reservations rule 4. */
export function fitsSide(roles: RoleFlags, side: MemberSide): boolean {
  return rolesBySide[side].some((role) => roles[role])
}

function allowingRoles(roles: RoleFlags, type: ReservationType): Role[] {
  return (Object.keys(typesByRole) as Role[]).filter((role) => roles[role] && typesByRole[role].includes(type))
}
