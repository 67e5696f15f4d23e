/** What somebody has to do. */
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
] as const
export type TodoKind = (typeof todoKinds)[number]

/** What has to be done something about. */
export const todoSubjects = [
  'reservation',
  'training_record',
  'endorsement',
  'currency',
  'booking_request',
  'squawk',
] as const

/** Something that a member has to do, since when, and the request that does it. */
export interface TodoRow {
  kind: TodoKind
  subjectKind: (typeof todoSubjects)[number]
  subjectId: number
  title: string
  since: Date
  method: 'POST' | 'PUT' | 'PATCH'
  path: string
}

/** Nothing that has waited for longer is listed: nobody does it any more. */
export const LEFT_AFTER_DAYS = 90
