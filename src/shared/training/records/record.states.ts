import type { Conflicting } from '../transition.rules.ts'

/** The status of a training record. It is derived from grade and signatures, and never stored. */
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

const signed: Conflicting = { code: 'ALREADY_SIGNED', message: 'The record is signed already: amend it instead.' }
const amended: Conflicting = { code: 'ALREADY_AMENDED', message: 'The record was amended already.' }
const unsigned: Conflicting = { code: 'NOT_SIGNED', message: 'The instructor has not signed the record yet.' }
const notToAmend: Conflicting = {
  code: 'NOT_SIGNED',
  message: 'The record is not signed: change it as it is.',
}

/** The status that each trigger leads to, or why it is rejected. Implements interface §Training record and ledger. */
export const recordTransitions: Readonly<Record<RecordStatus, Record<RecordTrigger, RecordStatus | Conflicting>>> = {
  ungraded: {
    regrade: 'graded',
    sign: { code: 'NOT_GRADED', message: 'The record is not graded yet.' },
    countersign: unsigned,
    amend: notToAmend,
  },
  graded: { regrade: 'graded', sign: 'signed', countersign: unsigned, amend: notToAmend },
  signed: { regrade: signed, sign: signed, countersign: 'countersigned', amend: 'amended' },
  countersigned: {
    regrade: signed,
    sign: signed,
    countersign: { code: 'ALREADY_SIGNED', message: 'You have countersigned the record already.' },
    amend: 'amended',
  },
  amended: { regrade: signed, sign: signed, countersign: amended, amend: amended },
}

/** Returns the status that follows from a record's grade and signatures. */
export function recordStatus({ grade, signedAt, countersignedAt, amendedAt }: RecordFacts): RecordStatus {
  if (amendedAt) return 'amended'
  if (countersignedAt) return 'countersigned'
  if (signedAt) return 'signed'
  return grade ? 'graded' : 'ungraded'
}
