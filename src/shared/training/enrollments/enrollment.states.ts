import type { Conflicting } from '../conflicting.rules.ts'

export const enrollmentStatuses = ['enrolled', 'graduated', 'terminated', 'transferred'] as const
export type EnrollmentStatus = (typeof enrollmentStatuses)[number]

/**
 * What is done with an enrollment: a lesson graded anew, its records and credits put right (graded again, signed,
 * amended, credited), its record certified, and its end.
 */
export type EnrollmentTrigger = 'grade' | 'putRight' | 'certify' | 'graduate' | 'terminate' | 'transfer'

const ended: Conflicting = { code: 'ENROLLMENT_ENDED', message: 'The enrollment has ended.' }
const over = { grade: ended, certify: ended, graduate: ended, terminate: ended, transfer: ended }

/** The lifecycle on one screen: the status that each trigger leads to, or why it does not. */
export const enrollmentTransitions: Readonly<
  Record<EnrollmentStatus, Record<EnrollmentTrigger, EnrollmentStatus | Conflicting>>
> = {
  enrolled: {
    grade: 'enrolled',
    putRight: 'enrolled',
    certify: 'enrolled',
    graduate: 'graduated',
    terminate: 'terminated',
    transfer: 'transferred',
  },
  graduated: {
    ...over,
    putRight: { code: 'ENROLLMENT_ENDED', message: 'The student has graduated: the record is closed.' },
  },
  // Whoever leaves takes a record along: what was flown can still be signed and put right.
  terminated: { ...over, putRight: 'terminated' },
  transferred: { ...over, putRight: 'transferred' },
}
