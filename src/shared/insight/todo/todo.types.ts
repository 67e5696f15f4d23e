import type { RoleFlags } from '../../platform/authz/roles.ts'

/** The kinds of items of a to-do list. */
export const todoKinds = [
  'ramp_in',
  'confirm_review',
  'write_record',
  'sign_record',
  'countersign_record',
  'renew_endorsement',
  'renew_currency',
  'decide_request',
  'invoice_flight',
  'acknowledge_squawk',
  'approve_refund',
  'answer_dispute',
  'reverse_payment',
  'apply_recovery',
  'answer_objection',
  'prepare_test',
  'decide_fee',
] as const
export type TodoKind = (typeof todoKinds)[number]

/** The kinds of records that an item is about. */
export const todoSubjects = [
  'reservation',
  'training_record',
  'endorsement',
  'currency',
  'booking_request',
  'squawk',
  'invoice',
  'operation',
  'enrollment',
] as const

/** An item of a member's to-do list, since when it waits, and the request that completes it. */
export interface TodoRow {
  kind: TodoKind
  subjectKind: (typeof todoSubjects)[number]
  subjectId: number
  title: string
  since: Date
  /** The deadline for the evidence of a dispute, or the test or application for which something is open; null for other items. */
  dueAt: Date | null
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  path: string
}

/** The member of a to-do list, and the currencies to renew, which are computed before the query. */
export interface TodoScope {
  organizationId: number
  member: { id: number } & RoleFlags
  now: Date
  /** The currencies to renew, computed by `renewalsOf`. */
  renewals: readonly Omit<TodoRow, 'kind' | 'subjectKind' | 'dueAt'>[]
  /** What is open before practical tests, computed by `findPreparations`. */
  preparations: readonly Omit<TodoRow, 'kind' | 'subjectKind'>[]
}

/** The most days that an item on the list has waited; older items are left out. */
export const LEFT_AFTER_DAYS = 90
