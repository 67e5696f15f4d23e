import { z } from 'zod'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { reservationStatuses } from '../../../shared/scheduling/reservations/lifecycle.states.ts'
import { ListQuery } from '../../http/lists.ts'
import {
  InstantInput,
  QueryFlag,
  QueryIds,
  QueryText,
  queryWords,
  RequiredEndDate,
  RequiredStartDate,
} from '../../http/schemas.ts'

/** A window whose bounds are optional. */
const windowQuery = {
  startDate: InstantInput.optional(),
  endDate: InstantInput.optional(),
  includeCanceled: QueryFlag.default(false).describe('`true` also lists cancelled bookings'),
}

export const WindowListQuery = ListQuery.extend(windowQuery).refine(
  ({ startDate, endDate }) => !startDate || !endDate || startDate < endDate,
  { path: ['endDate'], message: fieldErrors.after({ other: 'startDate' }) },
)

export const ReservationListQuery = ListQuery.extend({
  startDate: RequiredStartDate,
  endDate: RequiredEndDate,
  q: QueryText.optional(),
  resourceId: QueryIds.optional(),
  locationId: QueryIds.optional(),
  status: queryWords(reservationStatuses)
    .optional()
    .describe('Only bookings in one of these statuses; `cancelled` implies `includeCanceled`'),
  type: queryWords(reservationTypes).optional(),
  orgUserId: QueryIds.optional().describe('Only bookings that one of these members is on'),
  instructorOrgUserId: QueryIds.optional().describe('Only bookings that one of these members is on as an instructor'),
  includeCanceled: QueryFlag.default(false).describe('`true` also lists cancelled bookings'),
  ongoing: QueryFlag.default(true).describe('`false` leaves out bookings in progress'),
  orderBy: z.enum(['asc', 'desc']).default('desc').describe('The order of the starts. `desc`: the latest first'),
  uninvoiced: QueryFlag.default(false).describe(
    'Only bookings that are not billed. Invoices that are void or failed, and reversed flight charges on the ' +
      'ledger, do not count',
  ),
  endedBefore: InstantInput.optional().describe('Only bookings that end before this instant'),
}).refine((query) => query.startDate < query.endDate, {
  path: ['endDate'],
  message: fieldErrors.after({ other: 'startDate' }),
})

/**
 * Returns conditions on the seats of bookings: one for `orgUserId`, and one for `instructorOrgUserId` as instructors.
 */
export function seatedOf(
  { orgUserId, instructorOrgUserId }: Pick<z.output<typeof ReservationListQuery>, 'orgUserId' | 'instructorOrgUserId'>,
  { organizationId }: Actor,
) {
  return [
    ...(orgUserId ? [{ organizationId, orgUserIds: orgUserId }] : []),
    ...(instructorOrgUserId ? [{ organizationId, orgUserIds: instructorOrgUserId, side: 'instructors' as const }] : []),
  ]
}
