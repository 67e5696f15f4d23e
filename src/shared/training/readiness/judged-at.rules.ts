import { trainingErrors } from '../training.errors.ts'

/** The years before and after now within which readiness can be judged. */
const YEARS = 2

/**
 * Returns the instants at which readiness is judged: the planned test, or now without one, and its application, which counts as the test where it
 * is not planned. Another instant moves both by the same time. Implements interface §28.1.
 */
export function readinessAt(
  { plannedTestAt, plannedApplicationAt }: { plannedTestAt: Date | null; plannedApplicationAt: Date | null },
  asked: Date | undefined,
  now: Date,
): { at: Date; applicationAt: Date } {
  if (asked && (asked < yearsFrom(now, -YEARS) || asked > yearsFrom(now, YEARS))) throw trainingErrors.testTooFar()
  const at = asked ?? plannedTestAt ?? now
  if (!plannedTestAt || !plannedApplicationAt) return { at, applicationAt: at }
  const ahead = Math.max(0, plannedTestAt.getTime() - plannedApplicationAt.getTime())
  return { at, applicationAt: new Date(at.getTime() - ahead) }
}

function yearsFrom(now: Date, years: number): Date {
  const then = new Date(now)
  then.setUTCFullYear(then.getUTCFullYear() + years)
  return then
}
