/** An error code: its possible statuses, its meaning, and what a client does about it. */
interface CodeEntry {
  status: readonly (400 | 403 | 405 | 409)[]
  meaning: string
}

export type Codes = Record<string, CodeEntry>

/** The codes of courses, enrollments, records, tests and endorsements. */
export const training = {
  SIGNER_NOT_ALLOWED: {
    status: [403],
    meaning:
      'Somebody else signs endorsements of this kind. Name the signer in `signedBy`, or ask an admin to record it.',
  },
  VERSION_IS_DRAFT: { status: [409], meaning: 'The version of the course is a draft. Publish it first.' },
  VERSION_NOT_DRAFT: {
    status: [409],
    meaning: 'The version of the course is published and can no longer change. Copy it to a new version.',
  },
  VERSION_RETIRED: { status: [409], meaning: 'The version of the course is retired and takes no new students.' },
  COURSE_ARCHIVED: { status: [409], meaning: 'The course is archived and takes no new students.' },
  ENROLLMENT_ENDED: {
    status: [409],
    meaning:
      'The enrollment has ended, so this can no longer be done. After graduation its records are closed; otherwise ' +
      'they can still be signed and corrected.',
  },
  REQUIREMENTS_UNMET: {
    status: [409],
    meaning: 'The student cannot graduate yet; `details.obstacles` lists what is missing.',
  },
  NO_FEE: { status: [409], meaning: 'The enrollment has no fee to invoice.' },
  NOT_GRADUATED: { status: [409], meaning: 'The student has not graduated from this course.' },
  NOT_GRADED: { status: [409], meaning: 'The training record is not graded yet. Grade it before signing.' },
  NOT_SIGNED: { status: [409], meaning: 'The instructor has not signed the training record yet.' },
  ALREADY_SIGNED: { status: [409], meaning: 'The training record is signed. Amend it instead of changing it.' },
  ALREADY_AMENDED: {
    status: [409],
    meaning: 'The training record was replaced by an amendment. Work with the newer record.',
  },
  ALREADY_REPLACED: {
    status: [409],
    meaning: 'The endorsement of `supersedesId` is replaced already. Supersede the newer one.',
  },
  OWN_TRAINING: { status: [403], meaning: 'Nobody can grade, sign or amend their own training.' },
  OWN_STUDENT: {
    status: [403],
    meaning:
      'The student’s own instructor, or one who signed another lesson of the stage, cannot sign its stage check. Ask another check instructor.',
  },
  CHECK_INSTRUCTOR_NEEDED: {
    status: [403],
    meaning: 'Only a check instructor of the course can sign a stage check.',
  },
  NOT_YOUR_RECORD: { status: [403], meaning: 'Only the student of a training record can countersign it.' },
} as const satisfies Codes
