import { trainingErrors } from '../training.errors.ts'
import type { Conflicting } from '../transition.rules.ts'

export const enrollmentStatuses = ['enrolled', 'graduated', 'terminated', 'transferred'] as const
export type EnrollmentStatus = (typeof enrollmentStatuses)[number]

/** The role in which a training record is certified; 14 CFR 141.101(c) requires the chief instructor. */
export const certifierRoles = ['chief_instructor', 'admin'] as const
export type CertifierRole = (typeof certifierRoles)[number]

/**
 * The actions on an enrollment: its test or instructor is planned, a lesson gets a new record, records or credits are
 * corrected (regraded, signed, amended, posted), the record is certified, or the enrollment ends.
 */
export type EnrollmentTrigger = 'plan' | 'grade' | 'correct' | 'certify' | 'graduate' | 'terminate' | 'transfer'

const { enrollmentEnded: ended } = trainingErrors
const over = { plan: ended, grade: ended, graduate: ended, terminate: ended, transfer: ended }

/** The status after each trigger, or the error that refuses the trigger. Implements interface §Enrollment. */
export const enrollmentTransitions: Readonly<
  Record<EnrollmentStatus, Record<EnrollmentTrigger, EnrollmentStatus | Conflicting>>
> = {
  enrolled: {
    plan: 'enrolled',
    grade: 'enrolled',
    correct: 'enrolled',
    certify: 'enrolled',
    graduate: 'graduated',
    terminate: 'terminated',
    transfer: 'transferred',
  },
  graduated: {
    ...over,
    certify: ended,
    correct: trainingErrors.studentGraduated,
  },
  // The record of a student who leaves can be signed, corrected and certified after the end: 14 CFR 141.101(c).
  terminated: { ...over, certify: 'terminated', correct: 'terminated' },
  transferred: { ...over, certify: 'transferred', correct: 'transferred' },
}
