import { localDate, monthEndAfter } from '../../platform/kernel/zones.ts'

/** The tests of a student: of the FAA (14 CFR 61.35, 61.43), and of a course (14 CFR 141.101(a)). */
export const testKinds = ['knowledge', 'practical', 'stage', 'end_of_course'] as const
export type TestKind = (typeof testKinds)[number]

export const testResults = ['passed', 'failed', 'discontinued'] as const
export type TestResult = (typeof testResults)[number]

/** What a practical test was failed or discontinued for. */
export const testCauses = ['endorsement', 'experience', 'aircraft', 'weather', 'knowledge', 'flight'] as const
export type TestCause = (typeof testCauses)[number]

/** The milliseconds in which a result is corrected without a reason. */
const CORRECTED_WITHIN_MS = 86_400_000

/** Returns whether a test can have causes: a practical test that was not passed. Implements interface §28.4. */
export function takesCauses({ kind, result }: { kind: TestKind; result: TestResult }): boolean {
  return kind === 'practical' && result !== 'passed'
}

/** Returns whether a change of a result needs a reason: a day after it was recorded (S102). */
export function needsReason(test: { result: TestResult; createdAt: Date }, result: TestResult, now: Date): boolean {
  return result !== test.result && now.getTime() - test.createdAt.getTime() > CORRECTED_WITHIN_MS
}

/**
 * The facts that decide how long a knowledge test is valid; `airlineTransport`: whether the test is in a course for the
 * airline transport certificate.
 */
export interface TestFacts {
  kind: TestKind
  result: TestResult
  takenAt: Date
  airlineTransport: boolean
}

const MONTHS = 24
/** The months for airline transport, after the certification training program. */
const MONTHS_AIRLINE_TRANSPORT = 60

/**
 * Returns the last local day on which a practical test can be completed with a passed knowledge test: the end of the
 * 24th calendar month after it (for airline transport, of the 60th). Null for all other tests. 14 CFR 61.39(a)(1), (b).
 */
export function knowledgeGoodUntil(
  { kind, result, takenAt, airlineTransport }: TestFacts,
  zone: string,
): string | null {
  if (kind !== 'knowledge' || result !== 'passed') return null
  return monthEndAfter(localDate(takenAt, zone), airlineTransport ? MONTHS_AIRLINE_TRANSPORT : MONTHS)
}
