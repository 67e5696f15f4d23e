import { insightErrors } from '../../../shared/insight/insight.errors.ts'

/** The most reports that a process reads or sends at the same time: for one organization, and in total. */
const MOST_OF_ORGANIZATION = 2
const MOST_OF_PROCESS = 4
const RETRY_AFTER_SECONDS = 5

const taken = new Map<number, number>()

/**
 * Reserves a slot for a report of an organization. Returns the function that frees it; repeated calls have no effect.
 */
export function takePlace(organizationId: number): () => void {
  const own = taken.get(organizationId) ?? 0
  const all = [...taken.values()].reduce((sum, places) => sum + places, 0)
  if (own >= MOST_OF_ORGANIZATION || all >= MOST_OF_PROCESS) {
    throw insightErrors.reportsRunning({ retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  taken.set(organizationId, own + 1)
  let held = true
  return () => {
    if (!held) return
    held = false
    const left = (taken.get(organizationId) ?? 1) - 1
    if (left > 0) taken.set(organizationId, left)
    else taken.delete(organizationId)
  }
}
