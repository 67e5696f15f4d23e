import { platformErrors } from '../../platform/platform.errors.ts'
import { trainingErrors } from '../training.errors.ts'
import type { Conflicting } from '../transition.rules.ts'

/** The status of a training record. It is not stored: it follows from the grade, the signatures and the amendment. */
export const recordStatuses = ['ungraded', 'graded', 'signed', 'countersigned', 'amended'] as const
export type RecordStatus = (typeof recordStatuses)[number]

export type RecordTrigger = 'regrade' | 'sign' | 'countersign' | 'amend'

/** The fields of a record that decide its status. */
export interface RecordFacts {
  grade?: string | null | undefined
  signedAt?: Date | null | undefined
  countersignedAt?: Date | null | undefined
  amendedAt?: Date | null | undefined
}

const { recordSigned: signed, recordNotSigned: unsigned, nothingToAmend: notToAmend } = trainingErrors
const { recordAmended: amended } = platformErrors

/**
 * The status after each trigger, or the error that refuses the trigger. Implements interface §Training record and
 * ledger.
 */
export const recordTransitions: Readonly<Record<RecordStatus, Record<RecordTrigger, RecordStatus | Conflicting>>> = {
  ungraded: {
    regrade: 'graded',
    sign: trainingErrors.recordNotGraded,
    countersign: unsigned,
    amend: notToAmend,
  },
  graded: { regrade: 'graded', sign: 'signed', countersign: unsigned, amend: notToAmend },
  signed: { regrade: signed, sign: signed, countersign: 'countersigned', amend: 'amended' },
  countersigned: {
    regrade: signed,
    sign: signed,
    countersign: trainingErrors.countersignedAlready,
    amend: 'amended',
  },
  amended: { regrade: signed, sign: signed, countersign: amended, amend: amended },
}

/** Returns the status that follows from the grade, the signatures and the amendment of a record. */
export function recordStatus({ grade, signedAt, countersignedAt, amendedAt }: RecordFacts): RecordStatus {
  if (amendedAt) return 'amended'
  if (countersignedAt) return 'countersigned'
  if (signedAt) return 'signed'
  return grade ? 'graded' : 'ungraded'
}
