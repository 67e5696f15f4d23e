/** A job that has not fanned out its events yet, and the subjects of these events. */
export interface PendingJob {
  id: string
  subjects: readonly string[]
}

/**
 * Returns the ids of the jobs to run together, oldest first: the given job, and each earlier job that shares a subject
 * with the given job or with a later returned job. Returns none when the job is not in the list.
 * Implements docs/decisions/0018: the events of one subject arrive in their order.
 * @param pending the jobs, oldest first
 */
export function withPredecessors(pending: readonly PendingJob[], id: string): string[] {
  const subjects = new Set<string>()
  const found: string[] = []
  for (const job of pending.slice(0, pending.findIndex((one) => one.id === id) + 1).reverse()) {
    if (job.id !== id && !job.subjects.some((subject) => subjects.has(subject))) continue
    found.unshift(job.id)
    for (const subject of job.subjects) subjects.add(subject)
  }
  return found
}
