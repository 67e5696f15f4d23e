import type { Role, RoleFlags } from '../../platform/authz/roles.ts'

export const reservationTypes = ['solo', 'shared', 'dual', 'ground', 'guest', 'sim', 'rental', 'maintenance'] as const

export type ReservationType = (typeof reservationTypes)[number]

/** The sides of a booking: its people sit in these groups. */
export const seatSides = ['instructors', 'students', 'renters', 'pilots', 'guests'] as const

export type Side = (typeof seatSides)[number]

/** The sides of members; a guest holds no roles. */
export type MemberSide = Exclude<Side, 'guests'>

export type ResourceKind = 'plane' | 'simulator' | 'room'

interface TypeRule {
  /** The least and most people of a side; a side that is left out takes nobody. */
  sides: Readonly<Partial<Record<Side, readonly [least: number, most: number]>>>
  /** The exact number of people on board, where the type fixes it whatever the sides allow. */
  occupants?: number
  /** The kinds of resource for the type; any booking may leave its resource open until ramp-out. */
  resources: readonly ResourceKind[]
  /** The side that is billed; maintenance bills nobody. */
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

/** The roles that fit a side: any one of these. */
export const rolesBySide: Readonly<Record<MemberSide, readonly Role[]>> = {
  instructors: ['instructor'],
  students: ['student'],
  renters: ['renter'],
  pilots: ['student', 'renter', 'instructor'],
}

/**
 * Returns the longest duration of a booking type in days. A longer booking is taken for a typing error, except for
 * maintenance.
 */
export function longestDays(type: ReservationType): number {
  return type === 'maintenance' ? 366 : 60
}

/**
 * Returns the types of booking that a member's roles let them create; roles are additive. Implements interface
 * §Reservations (types by role).
 */
export function creatableTypes(roles: RoleFlags): ReservationType[] {
  return reservationTypes.filter((type) => allowingRoles(roles, type).length > 0)
}

/** Decides whether any of a member's roles lets them create a type of booking. Implements interface §Reservations. */
export function mayCreate(roles: RoleFlags, type: ReservationType): boolean {
  return allowingRoles(roles, type).length > 0
}

/**
 * Decides whether a member may book a type only for themselves: every role that allows it is student or renter, so they
 * must be on the booking.
 */
export function booksForThemselves(roles: RoleFlags, type: ReservationType): boolean {
  const allowing = allowingRoles(roles, type)
  return allowing.length > 0 && allowing.every((role) => role === 'student' || role === 'renter')
}

/**
 * Decides whether a member's bookings of a type need the organization's approval: none of the roles that allow the type
 * books instantly. The setting exists for students and renters only.
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
 * Decides whether a member may record a flight that has begun: desk staff, instructors and technicians may, students
 * and renters not.
 */
export function mayRecordPast(roles: RoleFlags, type: ReservationType): boolean {
  return roles.instructor || !booksForThemselves(roles, type)
}

/** Decides whether a member's roles fit a side: an instructor's seat takes an instructor, a pilot's any flyer. */
export function fitsSide(roles: RoleFlags, side: MemberSide): boolean {
  return rolesBySide[side].some((role) => roles[role])
}

function allowingRoles(roles: RoleFlags, type: ReservationType): Role[] {
  return (Object.keys(typesByRole) as Role[]).filter((role) => roles[role] && typesByRole[role].includes(type))
}
