/** What a seal covers: the columns of one table that say what was signed. None of them names a member. */
interface Sealed {
  table: string
  columns: readonly string[]
}

/** The columns of a booking that a signature agrees to and that can be corrected. */
const figures = ['hobbs_out', 'hobbs_in', 'tach_out', 'tach_in', 'briefing_tenths'] as const

/**
 * The kinds of seals: `<subject>.<verb>`, as of events. A seal covers these columns of the row as they are at the commit,
 * with the members concerned as they are then. A column that a later act changes, such as a merge or the deletion of the paper of an
 * endorsement, is not among them; an act that changes a covered column has a seal of its own. Null: the seal covers no row, but says
 * that a row is gone or which member it is about.
 */
export const sealKinds = {
  'training_record.signed': {
    table: 'training_record',
    columns: [
      'enrollment_id',
      'version_id',
      'lesson_id',
      'grade',
      'notes',
      'flight_tenths',
      'instruction_tenths',
      'simulator_tenths',
      'ground_tenths',
      'night_tenths',
      'cross_country_tenths',
      'actual_instrument_tenths',
      'simulated_instrument_tenths',
      'pic_tenths',
      'solo_tenths',
      'landings',
      'task_grades',
      'reservation_id',
      'trained_at',
      'signed_at',
      'signer_certificate_number',
      'amends_id',
    ],
  },
  'training_record.countersigned': {
    table: 'training_record',
    columns: ['countersigned_at', 'countersigner_certificate_number'],
  },
  'training_record.amended': {
    table: 'training_record',
    columns: ['amended_at', 'amended_by_id', 'amend_reason'],
  },
  'endorsement.issued': {
    table: 'endorsement',
    columns: [
      'enrollment_id',
      'template_code',
      'template_edition',
      'title',
      'rendered_text',
      'expires_at',
      'signer_name',
      'signed_at',
      'training_at',
      'parameters',
      'signer_certificate_number',
      'signer_certificate_expiry',
      'supersedes_id',
      'imported',
    ],
  },
  'endorsement.confirmed': { table: 'endorsement', columns: ['confirmed_at'] },
  'endorsement.disowned': { table: 'endorsement', columns: ['disowned_at'] },
  'endorsement.superseded': { table: 'endorsement', columns: ['superseded_at', 'superseded_by_id'] },
  'enrollment.certified': { table: 'enrollment', columns: ['course_id', 'version_id', 'certified_at', 'certified_as'] },
  'enrollment.certification_removed': { table: 'enrollment', columns: ['certified_at'] },
  'certificate.issued': { table: 'training_certificate', columns: ['enrollment_id', 'kind', 'number', 'pdf'] },
  'maintenance.completed': {
    table: 'maintenance_completion',
    columns: [
      'reminder_id',
      'done_at',
      'reading_hundredths',
      'hobbs_hundredths',
      'tach_hundredths',
      'landings',
      'notes',
      'signer_name',
      'signer_certificate_number',
      'work_order',
    ],
  },
  'maintenance.completion_undone': { table: 'maintenance_reversal', columns: ['completion_id', 'reason'] },
  'maintenance.completion_deleted': null,
  'maintenance.reversal_deleted': null,
  'reservation.confirmed': {
    table: 'reservation',
    columns: ['type', 'resource_id', 'starts_at', 'ends_at', ...figures],
  },
  'reservation.corrected': { table: 'reservation', columns: figures },
  'reservation.signed_off': { table: 'reservation', columns: ['signed_off_at'] },
  'reservation.reopened': { table: 'reservation', columns: ['signed_off_at'] },
  'member.merged': null,
  'member.erased': null,
} as const satisfies Record<string, Sealed | null>

export type SealKind = keyof typeof sealKinds

/** A seal of a transaction, to be written before its commit. */
export interface NewSeal {
  organizationId: number
  kind: SealKind
  /** The id of the row that it covers; for a member's merge or erasure, of the member. */
  id: number
  /** The member of whom it is; null for none. In a merge, the member whose records moved. */
  memberId: number | null
  /** The member who signs; null for the service. */
  signerId: number | null
  signedAt: Date
}

/** The keys under which the service seals, from `RECORD_KEYS`. They are never in the database. */
export interface RecordKeys {
  /** The id of the key that seals. */
  keyId: string
  /** Returns the authentication code of a message under that key, or under an earlier one. Null: there is no such key. */
  authenticate(message: Buffer, keyId?: string): Buffer | null
}
