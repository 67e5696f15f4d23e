import type { Role, RoleFlags } from '../../platform/authz/roles.ts'

export const reservationTypes = ['solo', 'shared', 'dual', 'ground', 'guest', 'sim', 'rental', 'maintenance'] as const

export type ReservationType = (typeof reservationTypes)[number]

/** The groups that people sit in on a booking. */
export const seatSides = ['instructors', 'students', 'renters', 'pilots', 'guests'] as const

export type Side = (typeof seatSides)[number]

/** The sides that members sit on; a guest holds no roles. */
export type MemberSide = Exclude<Side, 'guests'>

export type ResourceKind = 'plane' | 'simulator' | 'room'

interface TypeRule {
  /** How few and how many may sit on a side; one that is left out takes nobody. */
  sides: Readonly<Partial<Record<Side, readonly [least: number, most: number]>>>
  /** The exact number of people aboard, where the type fixes it whatever the side allows. */
  occupants?: number
  /** What it may be booked on; any booking may leave its resource open until ramp-out. */
  resources: readonly ResourceKind[]
  /** The side that is billed; maintenance bills nobody. */
  pays: Side | null
}

/** What each type of booking takes: who sits where, on what kind of resource, and which side pays. */
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

/** Which role a member needs to sit on a side: any one of these. */
export const rolesBySide: Readonly<Record<MemberSide, readonly Role[]>> = {
  instructors: ['instructor'],
  students: ['student'],
  renters: ['renter'],
  pilots: ['student', 'renter', 'instructor'],
}

/** How many days a booking of a type may last: longer is a slip of the hand, except in a workshop. */
export function longestDays(type: ReservationType): number {
  return type === 'maintenance' ? 366 : 60
}

/** The types of booking that a member's roles together let them create. */
export function creatableTypes(roles: RoleFlags): ReservationType[] {
  return reservationTypes.filter((type) => allowingRoles(roles, type).length > 0)
}

/** Whether any of a member's roles lets them create a type of booking; roles add up. */
export function mayCreate(roles: RoleFlags, type: ReservationType): boolean {
  return allowingRoles(roles, type).length > 0
}

/**
 * Whether a member may book a type only for themselves: every role of theirs that allows it is a student's or a
 * renter's, so they must sit on what they book.
 */
export function booksForThemselves(roles: RoleFlags, type: ReservationType): boolean {
  const allowing = allowingRoles(roles, type)
  return allowing.length > 0 && allowing.every((role) => role === 'student' || role === 'renter')
}

/**
 * Whether the organization wants to approve a member's bookings of a type: none of their roles that allow it books
 * instantly. Only students and renters can be asked.
 */
export function needsApproval(
  roles: RoleFlags,
  type: ReservationType,
  approvalRequired: Readonly<Record<'student' | 'renter', boolean>>,
): boolean {
  const asked = (['student', 'renter'] as const).filter((role) => approvalRequired[role]) as Role[]
  const allowing = allowingRoles(roles, type)
  return allowing.length > 0 && allowing.every((role) => asked.includes(role))
}

/** Whether a member may record a flight that has begun: desk staff, instructors and technicians may, students and renters not. */
export function mayRecordPast(roles: RoleFlags, type: ReservationType): boolean {
  return roles.instructor || !booksForThemselves(roles, type)
}

/** Whether a member's roles let them sit on a side: an instructor's seat takes an instructor, a pilot's any flyer. */
export function fitsSide(roles: RoleFlags, side: MemberSide): boolean {
  return rolesBySide[side].some((role) => roles[role])
}

function allowingRoles(roles: RoleFlags, type: ReservationType): Role[] {
  return (Object.keys(typesByRole) as Role[]).filter((role) => roles[role] && typesByRole[role].includes(type))
}
