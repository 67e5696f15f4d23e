import { describe, expect, test } from 'vitest'
import { versionTransitions } from '../../../src/shared/training/courses/version.states.ts'
import { enrollmentTransitions } from '../../../src/shared/training/enrollments/enrollment.states.ts'
import { judgeGraduation } from '../../../src/shared/training/enrollments/graduation.rules.ts'
import { recordStatus, recordTransitions } from '../../../src/shared/training/records/record.states.ts'

/** A table as the state or the code that each trigger leads to. */
const shown = (table: object) =>
  Object.fromEntries(
    Object.entries(table).map(([state, triggers]) => [
      state,
      Object.fromEntries(
        Object.entries(triggers as object).map(([trigger, next]) => [
          trigger,
          typeof next === 'string' ? next : (next as { code: string }).code,
        ]),
      ),
    ]),
  )

test('a version is edited as a draft, published once, retired and reopened (§Syllabus version)', () => {
  expect(shown(versionTransitions)).toEqual({
    draft: {
      edit: 'draft',
      publish: 'published',
      retire: 'VERSION_IS_DRAFT',
      unretire: 'VERSION_IS_DRAFT',
      enrol: 'VERSION_IS_DRAFT',
    },
    published: {
      edit: 'VERSION_NOT_DRAFT',
      publish: 'VERSION_NOT_DRAFT',
      retire: 'retired',
      unretire: 'published',
      enrol: 'published',
    },
    retired: {
      edit: 'VERSION_NOT_DRAFT',
      publish: 'VERSION_NOT_DRAFT',
      retire: 'retired',
      unretire: 'published',
      enrol: 'VERSION_RETIRED',
    },
  })
})

test('an enrollment ends once, and graduation closes its record (§Enrollment)', () => {
  const over = {
    plan: 'ENROLLMENT_ENDED',
    grade: 'ENROLLMENT_ENDED',
    graduate: 'ENROLLMENT_ENDED',
    terminate: 'ENROLLMENT_ENDED',
    transfer: 'ENROLLMENT_ENDED',
  }
  expect(shown(enrollmentTransitions)).toEqual({
    enrolled: {
      plan: 'enrolled',
      grade: 'enrolled',
      correct: 'enrolled',
      certify: 'enrolled',
      graduate: 'graduated',
      terminate: 'terminated',
      transfer: 'transferred',
    },
    graduated: { ...over, certify: 'ENROLLMENT_ENDED', correct: 'ENROLLMENT_ENDED' },
    terminated: { ...over, certify: 'terminated', correct: 'terminated' },
    transferred: { ...over, certify: 'transferred', correct: 'transferred' },
  })
})

describe('a training record (§Training record and ledger)', () => {
  test('is graded, signed, countersigned and amended, in that order', () => {
    expect(shown(recordTransitions)).toEqual({
      ungraded: { regrade: 'graded', sign: 'NOT_GRADED', countersign: 'NOT_SIGNED', amend: 'NOT_SIGNED' },
      graded: { regrade: 'graded', sign: 'signed', countersign: 'NOT_SIGNED', amend: 'NOT_SIGNED' },
      signed: { regrade: 'ALREADY_SIGNED', sign: 'ALREADY_SIGNED', countersign: 'countersigned', amend: 'amended' },
      countersigned: {
        regrade: 'ALREADY_SIGNED',
        sign: 'ALREADY_SIGNED',
        countersign: 'ALREADY_SIGNED',
        amend: 'amended',
      },
      amended: {
        regrade: 'ALREADY_SIGNED',
        sign: 'ALREADY_SIGNED',
        countersign: 'ALREADY_AMENDED',
        amend: 'ALREADY_AMENDED',
      },
    })
  })

  test('is in the state where its last action left it', () => {
    const when = new Date('2026-11-21T12:00:00Z')
    expect(recordStatus({})).toBe('ungraded')
    expect(recordStatus({ grade: 'S' })).toBe('graded')
    expect(recordStatus({ grade: 'S', signedAt: when })).toBe('signed')
    expect(recordStatus({ grade: 'S', signedAt: when, countersignedAt: when })).toBe('countersigned')
    expect(recordStatus({ grade: 'S', signedAt: when, countersignedAt: when, amendedAt: when })).toBe('amended')
  })
})

describe('graduation (§Enrollment)', () => {
  const requirements = [
    { requirementId: 1, label: 'Total time', source: 'part141' as const, met: true },
    { requirementId: 2, label: 'Night training', source: 'part61' as const, met: false },
    { requirementId: 3, label: 'Club evening', source: 'school' as const, met: false },
  ]

  const finalTest = { owed: false, passed: false }

  test('under Part 141 needs every FAA requirement met and the record certified, and the refusal names all that is missing', () => {
    expect(judgeGraduation({ regulatoryPart: 'part141', certified: false, finalTest, requirements }).obstacles).toEqual(
      [{ requirementId: 2, message: 'Night training is not met' }, { message: 'the training record is not certified' }],
    )
    expect(
      judgeGraduation({
        regulatoryPart: 'part141',
        certified: true,
        finalTest,
        requirements: requirements.slice(0, 1),
      }),
    ).toEqual({ obstacles: [], warnings: [] })
  })

  test('does not wait for requirements that only the school sets, and warns of them', () => {
    const own = requirements.filter(({ source }) => source === 'school')
    expect(judgeGraduation({ regulatoryPart: 'part141', certified: true, finalTest, requirements: own })).toEqual({
      obstacles: [],
      warnings: [{ requirementId: 3, message: 'Club evening is not met' }],
    })
  })

  test.each([
    ['an end-of-course test that is owed and not passed blocks', { owed: true, passed: false }, 1],
    ['one that is passed does not', { owed: true, passed: true }, 0],
    ['one that is not owed does not', { owed: false, passed: false }, 0],
  ])('under Part 141 %s (14 CFR 141.77(b))', (_, finalTest, blocking) => {
    const facts = { regulatoryPart: 'part141' as const, certified: true, finalTest, requirements: [] }
    expect(judgeGraduation(facts).obstacles).toHaveLength(blocking)
  })

  test('under Part 61 is blocked by nothing, and warns of everything that is not met', () => {
    const failed = { owed: true, passed: false }
    expect(judgeGraduation({ regulatoryPart: 'part61', certified: false, finalTest: failed, requirements })).toEqual({
      obstacles: [],
      warnings: [
        { requirementId: 2, message: 'Night training is not met' },
        { message: 'the end-of-course test is not passed' },
        { requirementId: 3, message: 'Club evening is not met' },
      ],
    })
  })
})
