import { localDate, monthEndAfter } from '../../platform/kernel/zones.ts'

/** The tests of a student: of the FAA (14 CFR 61.35, 61.43), and of a course (14 CFR 141.101(a)). */
export const testKinds = ['knowledge', 'practical', 'stage', 'end_of_course'] as const
export type TestKind = (typeof testKinds)[number]

export const testResults = ['passed', 'failed', 'discontinued'] as const
export type TestResult = (typeof testResults)[number]

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
