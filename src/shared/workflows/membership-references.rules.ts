/** A kind of record of a member, as merging and erasing answer it. */
export type ReferenceKind =
  | 'bookings'
  | 'booking_requests'
  | 'flight_logs'
  | 'invoices'
  | 'ledger_entries'
  | 'pay_runs'
  | 'availability'
  | 'groups'
  | 'approvals'
  | 'documents'
  | 'currencies'
  | 'endorsements'
  | 'enrollments'
  | 'training_tests'
  | 'training_records'
  | 'profile'
  | 'settings'
  | 'notices'
  | 'events'
  | 'work'

/**
 * What a merge does with the rows: `move` gives them to the other member; so does `once`, but for rows that the other has
 * already by these columns, which are deleted; `together` and `ledger` move rows that the service itself may not change, by
 * functions of the database; `profile` adds what the other's does not say; `drop` deletes them; `stay` leaves them with the
 * member who is gone, whose row keeps the name.
 */
export type OnMerge = 'move' | { once: readonly string[] } | 'together' | 'ledger' | 'profile' | 'drop' | 'stay'

/** Why rows outlive the erasure of a person. */
export type KeptFor = 'others' | 'money' | 'training' | 'log'

/** What the law has an organization keep of papers that are deleted otherwise, until an end of its own. */
export type KeptByLaw = 'citizenship' | 'dates' | 'proofs'

/** Why, in words. What has no end in `until` is kept as long as the organization exists. */
export const keptReasons: Readonly<Record<KeptFor | KeptByLaw, string>> = {
  others: 'It is about others too: the people, aircraft and money of the organization.',
  money: 'The books of the organization: issued invoices, the entries of its ledger, and pay runs.',
  training: 'Training records, and texts that were signed or issued (14 CFR 61.189, 141.101).',
  log: 'The audit log keeps who did what, by name, for seven years.',
  citizenship: 'How citizenship was verified, for five years after the last training (49 CFR 1552.15).',
  dates:
    'Dated currencies, such as security awareness training, for one year after the member left (49 CFR 1552.15(b)).',
  proofs:
    'Documents that prove an endorsement, for three years from its signature (14 CFR 61.189(b)), or a dated currency, for ' +
    'one year after the member left (49 CFR 1552.15(b)).',
}

/**
 * What erasing a person does with the rows: `delete`; `unkept` deletes those that the law does not have the organization
 * keep; `none`: the row is not about the person. The others are kept, under the name of a former member.
 */
export type OnErase = 'delete' | 'unkept' | 'none' | KeptFor

export interface MembershipReference {
  kind: ReferenceKind
  /** Money and bookings are merged without consent; papers are the member's own; the rest is what they did or set. */
  part: 'bookings' | 'money' | 'papers' | 'own' | 'acts'
  merge: OnMerge
  erase: OnErase
}

const act = (kind: ReferenceKind, erase: KeptFor | 'none'): MembershipReference => ({
  kind,
  part: 'acts',
  merge: 'stay',
  erase,
})
const own = (kind: ReferenceKind): MembershipReference => ({ kind, part: 'own', merge: 'drop', erase: 'delete' })
const booked = (kind: ReferenceKind, erase: KeptFor = 'others'): MembershipReference => {
  return { kind, part: 'bookings', merge: 'move', erase }
}
const paper = (kind: ReferenceKind, merge: OnMerge, erase: OnErase = 'delete'): MembershipReference => {
  return { kind, part: 'papers', merge, erase }
}

/**
 * Every column that refers to a membership, `<table>.<column>`, and what merging and erasing a member does with its rows. A
 * contract test compares it with the foreign keys of the database, so that no table is forgotten.
 */
export const membershipReferences: Readonly<Record<string, MembershipReference>> = {
  'seat.membership_id': booked('bookings'),
  'confirmation.membership_id': booked('bookings'),
  'payer_stake.membership_id': booked('bookings'),
  'charge_notice.membership_id': booked('bookings'),
  'planned_lesson.membership_id': booked('bookings'),
  'at_risk_notice.membership_id': own('notices'),
  'undelivered_mail.membership_id': own('notices'),
  'flight_log.membership_id': booked('flight_logs', 'training'),
  'booking_request.requester_id': booked('booking_requests'),
  'booking_request_seat.membership_id': booked('booking_requests'),
  'invoice.membership_id': { kind: 'invoices', part: 'money', merge: 'move', erase: 'money' },
  'autopay_charge.membership_id': { kind: 'invoices', part: 'money', merge: 'move', erase: 'money' },
  'ledger_entry.membership_id': { kind: 'ledger_entries', part: 'money', merge: 'ledger', erase: 'money' },
  'pay_line.membership_id': { kind: 'pay_runs', part: 'money', merge: 'move', erase: 'money' },
  // A package is not transferable.
  'package_purchase.membership_id': { kind: 'invoices', part: 'money', merge: 'stay', erase: 'money' },
  'processor_customer.membership_id': own('settings'),
  'availability.membership_id': paper('availability', { once: [] }),
  'time_off.membership_id': paper('availability', 'move'),
  'group_member.membership_id': paper('groups', { once: ['group_id'] }),
  'resource_approval.membership_id': paper('approvals', { once: ['resource_id', 'make', 'model'] }),
  'offering_instructor.membership_id': paper('work', { once: ['offering_id'] }),
  'document.membership_id': paper('documents', 'together', 'unkept'),
  'currency_record.membership_id': paper('currencies', 'together', 'unkept'),
  'endorsement.membership_id': paper('endorsements', 'together', 'training'),
  'enrollment.membership_id': paper('enrollments', 'move', 'training'),
  'enrollment.instructor_id': paper('enrollments', 'move', 'training'),
  'training_test.membership_id': paper('training_tests', 'move', 'training'),
  'training_course.chief_instructor_id': paper('work', 'move', 'training'),
  'training_grant.membership_id': paper('work', { once: ['kind', 'course_id'] }),
  'pilot_minimums.membership_id': paper('profile', { once: [] }),
  'member_profile.membership_id': paper('profile', 'profile', 'unkept'),
  'account.active_membership_id': act('settings', 'none'),
  'announcement_notice.membership_id': own('notices'),
  'announcement_read.membership_id': own('notices'),
  'calendar_feed.membership_id': own('settings'),
  'connected_account.membership_id': own('settings'),
  'connection_state.membership_id': own('settings'),
  'currency_end_notice.membership_id': own('notices'),
  'invitation.membership_id': own('settings'),
  'notification.membership_id': own('notices'),
  'notification_preference.membership_id': own('settings'),
  'report_view.membership_id': own('settings'),
  'announcement.author_id': act('work', 'others'),
  'booking_request.decided_by': act('work', 'others'),
  'closure.created_by': act('work', 'others'),
  'confirmation.recorded_by': act('bookings', 'others'),
  'credit_entry.created_by': act('training_records', 'training'),
  'credit_note.created_by': act('invoices', 'money'),
  'credit_note.refund_by': act('invoices', 'money'),
  'pay_run.created_by': act('pay_runs', 'money'),
  'package_purchase.bought_by': act('invoices', 'money'),
  'payment.recorded_by': act('invoices', 'money'),
  'payment.reversed_by': act('invoices', 'money'),
  'currency_record.recorded_by': act('work', 'others'),
  'document.uploaded_by': act('work', 'others'),
  'document.verified_by': act('work', 'others'),
  'endorsement.recorded_by': act('endorsements', 'training'),
  'endorsement.signed_by': act('endorsements', 'training'),
  'enrollment.certified_by': act('training_records', 'training'),
  'enrollment.ended_by': act('training_records', 'training'),
  'event.membership_id': act('events', 'log'),
  'flight_log.written_by': act('flight_logs', 'training'),
  'invitation.invited_by': act('work', 'others'),
  'join_request.decided_by': act('work', 'others'),
  'ledger_entry.created_by': act('ledger_entries', 'money'),
  'maintenance_completion.membership_id': act('work', 'others'),
  'membership.merged_into': act('settings', 'none'),
  'currency_record.merged_from': act('currencies', 'none'),
  'endorsement.merged_from': act('endorsements', 'none'),
  'enrollment.merged_from': act('enrollments', 'none'),
  'meter_change.changed_by': act('work', 'others'),
  'operation.started_by': act('work', 'others'),
  'reservation.cancelled_by': act('work', 'others'),
  'reservation.created_by': act('work', 'others'),
  'resource_approval.approved_by': act('work', 'others'),
  'resource_file.uploaded_by': act('work', 'others'),
  'rule_override.membership_id': act('bookings', 'others'),
  'rule_override.overridden_by': act('work', 'others'),
  'squawk.reported_by': act('work', 'others'),
  'squawk.resolved_by': act('work', 'others'),
  'syllabus_version.published_by': act('work', 'training'),
  'training_grant.granted_by': act('work', 'others'),
  'training_record.amended_by': act('training_records', 'training'),
  'training_record.countersigned_by': act('training_records', 'training'),
  'training_record.graded_by': act('training_records', 'training'),
  'training_record.instructor_id': act('training_records', 'training'),
  'training_record.signed_by': act('training_records', 'training'),
  'training_test.recorded_by': act('training_tests', 'training'),
  'webhook_endpoint.created_by_id': act('work', 'others'),
}

export type MergePart = 'bookings' | 'money' | 'papers'

/** One column that refers to a membership. */
export interface ReferenceColumn extends MembershipReference {
  table: string
  column: string
}

/** Returns the columns of some parts, in the order of the list; of all of them when no parts are given. */
export function referencesOf(parts?: readonly MembershipReference['part'][]): ReferenceColumn[] {
  return Object.entries(membershipReferences)
    .filter(([, { part }]) => !parts || parts.includes(part))
    .map(([name, reference]) => {
      const [table = '', column = ''] = name.split('.')
      return { ...reference, table, column }
    })
}
