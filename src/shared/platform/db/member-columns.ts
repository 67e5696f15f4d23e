import { p } from '@mikro-orm/core'

/** The kinds of records of a member, in the order in which merging answers them. */
export const referenceKinds = [
  'bookings',
  'flight_logs',
  'booking_requests',
  'invoices',
  'ledger_entries',
  'pay_runs',
  'availability',
  'groups',
  'approvals',
  'work',
  'documents',
  'currencies',
  'endorsements',
  'enrollments',
  'training_tests',
  'training_records',
  'profile',
  'settings',
  'notices',
  'events',
] as const

export type ReferenceKind = (typeof referenceKinds)[number]

/**
 * What a merge does with the rows: `move` gives them to the other member; so does `once`, but for rows that the other has
 * already by these columns, which are deleted; `together` and `ledger` move rows that the service itself may not change, by
 * functions of the database; `profile` adds what the other's does not say; `drop` deletes them; `stay` leaves them with the
 * member who is gone, whose row keeps the name.
 */
export type OnMerge = 'move' | { once: readonly string[] } | 'together' | 'ledger' | 'profile' | 'drop' | 'stay'

/** Why rows outlive the erasure of a person. */
export type KeptFor = 'others' | 'money' | 'training' | 'log'

/**
 * What erasing a person does with the rows: `delete`; `unkept` deletes those that the law does not have the organization
 * keep; `none`: the row is not about the person. The others are kept, under the name of a former member.
 */
export type OnErase = 'delete' | 'unkept' | 'none' | KeptFor

/** What merging and erasing a member does with the rows of a column that refers to the member. */
export interface MembershipReference {
  kind: ReferenceKind
  /** Money and bookings are merged without consent; papers are the member's own; the rest is what they did or set. */
  part: 'bookings' | 'money' | 'papers' | 'own' | 'acts'
  merge: OnMerge
  erase: OnErase
}

const REFERENCE = Symbol('reference')

/** A column with the id of a member. Its options carry what merging and erasing do, and `nullable()` keeps them. */
function column(reference: MembershipReference) {
  const integer = p.integer()
  Object.assign(integer['~options'], { [REFERENCE]: reference })
  return integer
}

/**
 * The columns that refer to a member. Each says which kind of record its rows are, and what merging and erasing the member
 * does with them. A contract test compares them with the foreign keys of the database, so that no column is forgotten.
 */
export const member = {
  /** Of a booking: it moves with the member. */
  booked: (kind: ReferenceKind, erase: KeptFor = 'others') => column({ kind, part: 'bookings', merge: 'move', erase }),
  /** Of money. */
  money: (kind: ReferenceKind, merge: OnMerge = 'move') => column({ kind, part: 'money', merge, erase: 'money' }),
  /** The member's own: papers, availability, rights. */
  paper: (kind: ReferenceKind, merge: OnMerge, erase: OnErase = 'delete') =>
    column({ kind, part: 'papers', merge, erase }),
  /** What the service notes for the member alone. It ends with the member. */
  own: (kind: ReferenceKind) => column({ kind, part: 'own', merge: 'drop', erase: 'delete' }),
  /** Who did something: the name stays. */
  act: (kind: ReferenceKind, erase: KeptFor | 'none') => column({ kind, part: 'acts', merge: 'stay', erase }),
}

/** Returns what a column says of the member that it refers to; undefined when it refers to none. */
export function referenceOf(property: object): MembershipReference | undefined {
  return (property as { '~options'?: { [REFERENCE]?: MembershipReference } })['~options']?.[REFERENCE]
}
