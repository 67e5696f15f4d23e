import { p } from '@mikro-orm/core'

/** The kinds of records that refer to a member, in the order in which responses about merging list them. */
export const referenceKinds = [
  'bookings',
  'flight_logs',
  'booking_requests',
  'waitlist',
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
 * What a merge does with the rows of the managed member who is merged into another member. `move`: the other member
 * gets them. `once`: the same, but rows that the other member already has, equal in these columns, are deleted.
 * `together`, `ledger`: database functions move them, because the service's role may not change them. `profile`: adds
 * the facts that the other member's row lacks. `drop`: deletes them. `stay`: they still refer to the merged member,
 * whose row keeps the name.
 */
export type OnMerge = 'move' | { once: readonly string[] } | 'together' | 'ledger' | 'profile' | 'drop' | 'stay'

/** Why rows are kept when a person is erased. */
export type KeptFor = 'others' | 'money' | 'training' | 'log'

/**
 * What erasing a person does with the rows. `delete`: deletes them. `unkept`: deletes those that the law does not
 * require the organization to keep. `none`: nothing, because they are not about the person. Another value: keeps them,
 * under the name of a former member.
 */
export type OnErase = 'delete' | 'unkept' | 'none' | KeptFor

/** What merging and erasing a member does with the rows of a column that refers to the member. */
export interface MembershipReference {
  kind: ReferenceKind
  /**
   * What the row is about. Money and bookings are merged without the person's consent. `papers` are the member's own
   * records. `own` is what the service stores only for the member. `acts` is what the member did.
   */
  part: 'bookings' | 'money' | 'papers' | 'own' | 'acts'
  merge: OnMerge
  erase: OnErase
}

const REFERENCE = Symbol('reference')

/** Returns a column with the id of a member. The column's options hold the reference, and `nullable()` keeps them. */
function column(reference: MembershipReference) {
  const integer = p.integer()
  Object.assign(integer['~options'], { [REFERENCE]: reference })
  return integer
}

/**
 * The columns that refer to a member. Each declares the kind of its records, and what merging and erasing the member do
 * with them. A contract test compares the columns with the foreign keys of the database, so that none is forgotten.
 */
export const member = {
  /** A member of a booking. A merge moves the rows. */
  booked: (kind: ReferenceKind, erase: KeptFor | 'delete' = 'others') =>
    column({ kind, part: 'bookings', merge: 'move', erase }),
  /** A member in a record about money. Erasing keeps the rows. */
  money: (kind: ReferenceKind, merge: OnMerge = 'move') => column({ kind, part: 'money', merge, erase: 'money' }),
  /** A member's own records: documents, availability, rights. */
  paper: (kind: ReferenceKind, merge: OnMerge, erase: OnErase = 'delete') =>
    column({ kind, part: 'papers', merge, erase }),
  /** Data that the service stores only for the member. A merge or an erasure deletes it. */
  own: (kind: ReferenceKind) => column({ kind, part: 'own', merge: 'drop', erase: 'delete' }),
  /** The member who did something. A merge does not change the rows. */
  act: (kind: ReferenceKind, erase: KeptFor | 'none') => column({ kind, part: 'acts', merge: 'stay', erase }),
}

/** Returns the declared reference of a column to a member; undefined when it refers to none. */
export function referenceOf(property: object): MembershipReference | undefined {
  return (property as { '~options'?: { [REFERENCE]?: MembershipReference } })['~options']?.[REFERENCE]
}
