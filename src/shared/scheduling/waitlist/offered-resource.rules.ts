/** What the person of an offer knows its resource by. */
export interface OfferedResource {
  locationId: number
  make: string | null
  model: string | null
  pool: string | null
}

/**
 * Returns whether a resource is no longer what was offered: it is at another location, of another make or model, or no longer in its pool. Pools
 * are compared without case. Implements interface §Waiting list.
 */
export function isOther(offered: OfferedResource, now: OfferedResource): boolean {
  if (offered.locationId !== now.locationId) return true
  if (offered.make !== now.make || offered.model !== now.model) return true
  return offered.pool !== null && offered.pool.toLowerCase() !== now.pool?.toLowerCase()
}
