import { type TestCause, testCauses } from '../../training/knowledge-tests/training-test.rules.ts'

/** The fewest tests whose figures are shown to those who are neither admin nor chief instructor of the course (S102). */
const FEWEST = 5

/** The figures of practical tests. */
interface TestFigures {
  tests: number
  /** The earliest practical tests of their enrollments, and how many of them were passed. */
  firstAttempts: number
  firstPassed: number
  /** The tests whose result was changed later than a day after it was recorded. */
  changedResults: number
  causes: Record<TestCause, number>
}

/** The practical tests of one course and instructor; without an instructor: nobody recommended the student or has the enrollment. */
export interface TestGroup extends TestFigures {
  courseId: number
  course: string
  instructorOrgUserId: number | null
  instructor: string | null
  /** Whether the reader sees every figure of the course. */
  seesAll: boolean
}

/** A row of the report. Figures that are not for the reader are null. */
export interface TestReportRow {
  courseId: number
  course: string
  of: 'course' | 'instructor'
  instructorOrgUserId: number | null
  instructor: string | null
  tests: number
  firstAttempts: number | null
  firstTimeRate: number | null
  changedResults: number | null
  causes: Record<TestCause, number | null>
}

/**
 * Returns the rows of the report: per course one for all its tests, then one per instructor. Who does not see all of a course gets their own row,
 * and the row of the course when it has at least 5 tests, and when the tests of others in it are none or at least 5: else the difference
 * to their own figures would name them. Implements interface §28.4 and S102.
 */
export function testReport(groups: readonly TestGroup[], orgUserId: number): TestReportRow[] {
  const byCourse = Map.groupBy(groups, ({ courseId }) => courseId)
  return [...byCourse.values()].flatMap((ofCourse) => {
    const [{ courseId, course, seesAll } = ofCourse[0]!] = ofCourse
    const all = sumOf(ofCourse)
    const own = ofCourse.filter((group) => group.instructorOrgUserId === orgUserId)
    const others = minus(all, sumOf(own))
    const enough = (count: (figures: TestFigures) => number) =>
      seesAll || (count(all) >= FEWEST && (count(others) === 0 || count(others) >= FEWEST))
    const shown = {
      tests: enough(({ tests }) => tests),
      rate: enough(({ firstAttempts }) => firstAttempts),
    }
    const whole = { courseId, course, of: 'course', instructorOrgUserId: null, instructor: null } as const
    return [
      { ...whole, ...figuresOf(all, shown) },
      ...(seesAll ? ofCourse : own).map(({ instructorOrgUserId, instructor, ...figures }) => ({
        ...whole,
        of: 'instructor' as const,
        instructorOrgUserId,
        instructor,
        ...figuresOf(figures, { tests: true, rate: true }),
      })),
    ]
  })
}

type ShownFigures = Pick<TestReportRow, 'tests' | 'firstAttempts' | 'firstTimeRate' | 'changedResults' | 'causes'>

function figuresOf(figures: TestFigures, shown: { tests: boolean; rate: boolean }): ShownFigures {
  const { tests, firstAttempts, firstPassed, changedResults, causes } = figures
  return {
    tests,
    firstAttempts: shown.rate ? firstAttempts : null,
    firstTimeRate: shown.rate && firstAttempts > 0 ? Math.floor((firstPassed * 100) / firstAttempts) / 100 : null,
    changedResults: shown.tests ? changedResults : null,
    causes: eachCause((cause) => (shown.tests ? causes[cause] : null)),
  }
}

function sumOf(all: readonly TestFigures[]): TestFigures {
  const sum = (of: (figures: TestFigures) => number) => all.reduce((total, figures) => total + of(figures), 0)
  return {
    tests: sum(({ tests }) => tests),
    firstAttempts: sum(({ firstAttempts }) => firstAttempts),
    firstPassed: sum(({ firstPassed }) => firstPassed),
    changedResults: sum(({ changedResults }) => changedResults),
    causes: eachCause((cause) => sum(({ causes }) => causes[cause])),
  }
}

function minus(all: TestFigures, own: TestFigures): TestFigures {
  return { ...all, tests: all.tests - own.tests, firstAttempts: all.firstAttempts - own.firstAttempts }
}

/** Returns a value for each cause. */
export function eachCause<Value>(of: (cause: TestCause) => Value): Record<TestCause, Value> {
  return Object.fromEntries(testCauses.map((cause) => [cause, of(cause)])) as Record<TestCause, Value>
}
