import { trainingErrors } from '../training.errors.ts'

/** The plan of a practical or end-of-course test. */
export interface PlannedTest {
  at: Date | null
  applicationAt: Date | null
  resourceId: number | null
  examiner: string | null
  location: string | null
}

/** What a request says of a planned test; an absent field stays. Without `at` the plan is cleared. */
export type PlannedTestInput = { at: Date | null } & {
  [Field in Exclude<keyof PlannedTest, 'at'>]?: PlannedTest[Field] | undefined
}

/** What a request says of a plan, in one field or in the two that were there before it. */
export interface PlanInput {
  plannedTest?: PlannedTestInput | null | undefined
  plannedTestAt?: Date | null | undefined
  plannedApplicationAt?: Date | null | undefined
}

const cleared: PlannedTest = { at: null, applicationAt: null, resourceId: null, examiner: null, location: null }

/**
 * Returns the plan after a request. The two ways to say an instant must agree; the application is not after the test. Without a test
 * its aircraft, examiner and place go. Implements interface §Enrollment and §28.1.
 */
export function planAfter(
  stored: PlannedTest,
  { plannedTest, plannedTestAt, plannedApplicationAt }: PlanInput,
): PlannedTest {
  const planned = plannedTest === null ? { at: null } : plannedTest
  if (planned === undefined) {
    const at = plannedTestAt === undefined ? stored.at : plannedTestAt
    const kept = plannedTestAt === null ? null : stored.applicationAt
    const applicationAt = plannedApplicationAt === undefined ? kept : plannedApplicationAt
    return at === null ? { ...cleared, applicationAt } : applied({ ...stored, at, applicationAt })
  }
  assertAgrees('plannedTestAt', plannedTestAt, planned.at)
  const applicationAt = planned.at === null ? null : planned.applicationAt
  if (applicationAt !== undefined) assertAgrees('plannedApplicationAt', plannedApplicationAt, applicationAt)
  if (planned.at === null) return cleared
  const given = Object.fromEntries(Object.entries(planned).filter(([, value]) => value !== undefined))
  const kept = plannedApplicationAt === undefined ? stored.applicationAt : plannedApplicationAt
  return applied({ ...stored, applicationAt: kept, ...given, at: planned.at })
}

function applied(plan: PlannedTest): PlannedTest {
  if (plan.at && plan.applicationAt && plan.applicationAt > plan.at) throw trainingErrors.appliedAfterTest()
  return plan
}

function assertAgrees(field: string, given: Date | null | undefined, planned: Date | null): void {
  if (given !== undefined && given?.getTime() !== planned?.getTime()) throw trainingErrors.planDisagrees({ field })
}
