import type { RoleFlags } from '../../platform/authz/roles.ts'
import { deskStaff, hasRole } from '../../platform/authz/roles.ts'
import { type Interval, overlaps } from '../../platform/kernel/instants.ts'
import type { BusyTime, ResourceFacts } from './booking-facts.types.ts'

/**
 * Divides the busy times of a resource for whoever books it. A slot hold that its guest has not confirmed stands against
 * members and the public; desk staff book over it, and it ends.
 */
export function busyFor(
  { roles }: { roles: RoleFlags },
  busy: readonly BusyTime[] = [],
): Required<Pick<ResourceFacts, 'taken' | 'yielding'>> {
  const yields = (time: BusyTime) => time.unconfirmedRequestId !== undefined && hasRole(roles, deskStaff)
  return { taken: busy.filter((time) => !yields(time)), yielding: busy.filter(yields) }
}

/** Returns the requests whose unconfirmed holds end when the resource is booked at these times. */
export function heldAt(resource: Pick<ResourceFacts, 'yielding'> | null, times: readonly Interval[]): number[] {
  const overlapped = resource?.yielding?.filter((hold) => times.some((time) => overlaps(hold, time))) ?? []
  return overlapped.flatMap(({ unconfirmedRequestId }) => unconfirmedRequestId ?? [])
}
