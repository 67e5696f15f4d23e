/** A kind of record of a member, as a merge answers it. */
export type ReferenceKind =
  | 'bookings'
  | 'booking_requests'
  | 'flight_logs'
  | 'invoices'
  | 'ledger_entries'
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
  | 'work'

/**
 * What a merge does with the rows: `move` gives them to the other member; so does `once`, but for rows that the other has
 * already by these columns, which are deleted; `together` and `ledger` move rows that the service itself may not change, by
 * functions of the database; `profile` adds what the other's does not say; `drop` deletes them; `stay` leaves them with the
 * member who is gone, whose row keeps the name.
 */
export type OnMerge = 'move' | { once: readonly string[] } | 'together' | 'ledger' | 'profile' | 'drop' | 'stay'

export interface MembershipReference {
  kind: ReferenceKind
  /** Money and bookings are merged without consent; papers are the member's own; the rest is what they did or set. */
  part: 'bookings' | 'money' | 'papers' | 'own' | 'acts'
  merge: OnMerge
}

const act = (kind: ReferenceKind): MembershipReference => ({ kind, part: 'acts', merge: 'stay' })
const own = (kind: ReferenceKind): MembershipReference => ({ kind, part: 'own', merge: 'drop' })
const booked = (kind: ReferenceKind): MembershipReference => ({ kind, part: 'bookings', merge: 'move' })
const paper = (kind: ReferenceKind, merge: OnMerge): MembershipReference => ({ kind, part: 'papers', merge })

/**
 * Every column that refers to a membership, `<table>.<column>`, and what merging a member does with its rows. A
 * contract test compares it with the foreign keys of the database, so that no table is forgotten.
 */
export const membershipReferences: Readonly<Record<string, MembershipReference>> = {
  'seat.membership_id': booked('bookings'),
  'confirmation.membership_id': booked('bookings'),
  'payer_stake.membership_id': booked('bookings'),
  'planned_lesson.membership_id': booked('bookings'),
  'at_risk_notice.membership_id': own('notices'),
  'flight_log.membership_id': booked('flight_logs'),
  'booking_request.requester_id': booked('booking_requests'),
  'booking_request_seat.membership_id': booked('booking_requests'),
  'invoice.membership_id': { kind: 'invoices', part: 'money', merge: 'move' },
  'ledger_entry.membership_id': { kind: 'ledger_entries', part: 'money', merge: 'ledger' },
  'processor_customer.membership_id': own('settings'),
  'availability.membership_id': paper('availability', { once: [] }),
  'time_off.membership_id': paper('availability', 'move'),
  'group_member.membership_id': paper('groups', { once: ['group_id'] }),
  'resource_approval.membership_id': paper('approvals', { once: ['resource_id'] }),
  'offering_instructor.membership_id': paper('work', { once: ['offering_id'] }),
  'document.membership_id': paper('documents', 'together'),
  'currency_record.membership_id': paper('currencies', 'together'),
  'endorsement.membership_id': paper('endorsements', 'together'),
  'enrollment.membership_id': paper('enrollments', 'move'),
  'enrollment.instructor_id': paper('enrollments', 'move'),
  'training_test.membership_id': paper('training_tests', 'move'),
  'training_course.chief_instructor_id': paper('work', 'move'),
  'training_grant.membership_id': paper('work', { once: ['kind', 'course_id'] }),
  'pilot_minimums.membership_id': paper('profile', { once: [] }),
  'member_profile.membership_id': paper('profile', 'profile'),
  'account.active_membership_id': act('settings'),
  'announcement_notice.membership_id': own('notices'),
  'announcement_read.membership_id': own('notices'),
  'calendar_feed.membership_id': own('settings'),
  'connected_account.membership_id': own('settings'),
  'connection_state.membership_id': own('settings'),
  'currency_end_notice.membership_id': own('notices'),
  'currency_notice.membership_id': own('notices'),
  'invitation.membership_id': own('settings'),
  'notification.membership_id': own('notices'),
  'notification_preference.membership_id': own('settings'),
  'report_view.membership_id': own('settings'),
  'announcement.author_id': act('work'),
  'booking_request.decided_by': act('work'),
  'closure.created_by': act('work'),
  'credit_entry.created_by': act('training_records'),
  'currency_record.recorded_by': act('work'),
  'document.uploaded_by': act('work'),
  'document.verified_by': act('work'),
  'endorsement.recorded_by': act('endorsements'),
  'endorsement.signed_by': act('endorsements'),
  'enrollment.certified_by': act('training_records'),
  'enrollment.ended_by': act('training_records'),
  'event.membership_id': act('work'),
  'flight_log.written_by': act('flight_logs'),
  'invitation.invited_by': act('work'),
  'join_request.decided_by': act('work'),
  'ledger_entry.created_by': act('ledger_entries'),
  'maintenance_completion.membership_id': act('work'),
  'membership.merged_into': act('settings'),
  'endorsement.merged_from': act('endorsements'),
  'enrollment.merged_from': act('enrollments'),
  'meter_change.changed_by': act('work'),
  'operation.started_by': act('work'),
  'reservation.cancelled_by': act('work'),
  'reservation.created_by': act('work'),
  'reservation_event.membership_id': act('work'),
  'resource_approval.approved_by': act('work'),
  'resource_file.uploaded_by': act('work'),
  'rule_override.membership_id': act('bookings'),
  'rule_override.overridden_by': act('work'),
  'squawk.reported_by': act('work'),
  'squawk.resolved_by': act('work'),
  'syllabus_version.published_by': act('work'),
  'training_grant.granted_by': act('work'),
  'training_record.amended_by': act('training_records'),
  'training_record.countersigned_by': act('training_records'),
  'training_record.graded_by': act('training_records'),
  'training_record.instructor_id': act('training_records'),
  'training_record.signed_by': act('training_records'),
  'training_test.recorded_by': act('training_tests'),
  'webhook_endpoint.created_by_id': act('work'),
}

export type MergePart = 'bookings' | 'money' | 'papers'

/** One column that refers to a membership. */
export interface ReferenceColumn extends MembershipReference {
  table: string
  column: string
}

/** Returns the columns of some parts, in the order of the list. */
export function referencesOf(parts: readonly MembershipReference['part'][]): ReferenceColumn[] {
  return Object.entries(membershipReferences)
    .filter(([, { part }]) => parts.includes(part))
    .map(([name, reference]) => {
      const [table = '', column = ''] = name.split('.')
      return { ...reference, table, column }
    })
}
