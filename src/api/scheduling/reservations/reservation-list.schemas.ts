import { z } from 'zod'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { reservationStatuses } from '../../../shared/scheduling/reservations/lifecycle.states.ts'
import { ListQuery } from '../../http/lists.ts'
import { InstantInput, QueryFlag, QueryIds, QueryText, queryWords } from '../../http/schemas.ts'

/** A window whose bounds are optional. */
const windowQuery = {
  startDate: InstantInput.optional(),
  endDate: InstantInput.optional(),
  includeCanceled: QueryFlag.default(false),
}

export const WindowListQuery = ListQuery.extend(windowQuery).refine(
  ({ startDate, endDate }) => !startDate || !endDate || startDate < endDate,
  { path: ['endDate'], message: fieldErrors.after({ other: 'startDate' }) },
)

export const ReservationListQuery = ListQuery.extend({
  startDate: InstantInput,
  endDate: InstantInput,
  q: QueryText.optional(),
  resourceId: QueryIds.optional(),
  locationId: QueryIds.optional(),
  status: queryWords(reservationStatuses).optional().describe('`cancelled` implies `includeCanceled`'),
  type: queryWords(reservationTypes).optional(),
  orgUserId: QueryIds.optional().describe('Who sits on it'),
  instructorOrgUserId: QueryIds.optional().describe('Who sits on it as the instructor'),
  includeCanceled: QueryFlag.default(false),
  ongoing: QueryFlag.default(true).describe('`false` leaves out bookings in progress'),
  orderBy: z.enum(['asc', 'desc']).default('desc').describe('On the start time'),
  uninvoiced: QueryFlag.default(false).describe('Only bookings with no live invoice and no live ledger flight charge'),
  endedBefore: InstantInput.optional(),
}).refine((query) => query.startDate < query.endDate, {
  path: ['endDate'],
  message: fieldErrors.after({ other: 'startDate' }),
})

/** Returns the people who must be seated on the bookings that a query selects. */
export function seatedOf(
  { orgUserId, instructorOrgUserId }: Pick<z.output<typeof ReservationListQuery>, 'orgUserId' | 'instructorOrgUserId'>,
  { organizationId }: Actor,
) {
  return [
    ...(orgUserId ? [{ organizationId, orgUserIds: orgUserId }] : []),
    ...(instructorOrgUserId ? [{ organizationId, orgUserIds: instructorOrgUserId, side: 'instructors' as const }] : []),
  ]
}
