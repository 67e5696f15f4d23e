import { describe, expect, test } from 'vitest'
import { eachCause, type TestGroup, testReport } from '../../../src/shared/insight/reports/tests.rules.ts'

const ME = 7

/** Tests of one course: all first attempts, each but the passed ones failed for `flight`. */
function groupOf(instructorOrgUserId: number | null, tests: number, passed: number, seesAll = false): TestGroup {
  return {
    courseId: 1,
    course: 'Private pilot',
    instructorOrgUserId,
    instructor: instructorOrgUserId === null ? null : `Instructor ${instructorOrgUserId}`,
    seesAll,
    tests,
    firstAttempts: tests,
    firstPassed: passed,
    changedResults: 0,
    causes: { ...eachCause(() => 0), flight: tests - passed },
  }
}

const shown = (groups: TestGroup[]) =>
  testReport(groups, ME).map(({ of, instructorOrgUserId, tests, firstTimeRate, causes }) => [
    of === 'course' ? 'course' : instructorOrgUserId,
    tests,
    firstTimeRate,
    causes.flight,
  ])

describe('the report on practical tests (S102)', () => {
  test.for<[string, TestGroup[], unknown[]]>([
    [
      'all of it to who sees all of the course',
      [groupOf(3, 1, 0, true), groupOf(null, 2, 2, true)],
      [
        ['course', 3, 0.66, 1],
        [3, 1, 0, 1],
        [null, 2, 1, 0],
      ],
    ],
    ['four tests of others', [groupOf(3, 4, 3)], [['course', 4, null, null]]],
    ['five tests of others', [groupOf(3, 2, 1), groupOf(4, 3, 3)], [['course', 5, 0.8, 1]]],
    [
      'one’s own tests, however few',
      [groupOf(ME, 1, 0)],
      [
        ['course', 1, null, null],
        [ME, 1, 0, 1],
      ],
    ],
    [
      'five tests of one’s own and none of others',
      [groupOf(ME, 5, 4)],
      [
        ['course', 5, 0.8, 1],
        [ME, 5, 0.8, 1],
      ],
    ],
    [
      'a difference of four to one’s own',
      [groupOf(ME, 6, 6), groupOf(3, 4, 3)],
      [
        ['course', 10, null, null],
        [ME, 6, 1, 0],
      ],
    ],
    [
      'a difference of five to one’s own',
      [groupOf(ME, 6, 6), groupOf(3, 5, 4)],
      [
        ['course', 11, 0.9, 1],
        [ME, 6, 1, 0],
      ],
    ],
  ])('shows %s', ([, groups, rows]) => {
    expect(shown(groups)).toEqual(rows)
  })

  test('has no rate of fewer than five first attempts, or of none', () => {
    const [course] = testReport([{ ...groupOf(3, 6, 2), firstAttempts: 4 }], ME)
    expect(course).toMatchObject({ tests: 6, firstAttempts: null, firstTimeRate: null, causes: { flight: 4 } })
    const [none] = testReport([{ ...groupOf(3, 6, 2, true), firstAttempts: 0 }], ME)
    expect(none).toMatchObject({ firstAttempts: 0, firstTimeRate: null })
  })
})
