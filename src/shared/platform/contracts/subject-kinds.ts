/** The kinds of records that an event can be about. `subject.id` is the record's id; for a member the orgUserId. */
export const subjectKinds = [
  'reservation',
  'invoice',
  'booking_request',
  'training_record',
  'enrollment',
  'endorsement',
  'resource',
  'squawk',
  'member',
  'organization',
  'webhook',
  'document',
  'invitation',
  'join_request',
  'currency',
  'training_test',
  'closure',
  'pay_run',
  'package',
  'operation',
  'waitlist_entry',
  'offer',
] as const

export type SubjectKind = (typeof subjectKinds)[number]
