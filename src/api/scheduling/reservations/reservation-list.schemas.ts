import { z } from 'zod'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { reservationStatuses } from '../../../shared/scheduling/reservations/lifecycle.states.ts'
import { ListQuery } from '../../http/lists.ts'
import { membersOf, QueryFlag, QueryIds, QueryMembers, QueryText, queryWords } from '../../http/schemas.ts'
import { openWindow, requiredWindow, WindowLimit } from '../../http/windows.ts'

/** A window whose bounds are optional. */
const windowQuery = {
  ...openWindow,
  includeCanceled: QueryFlag.default(false).describe('`true` also lists cancelled bookings'),
}

export const WindowListQuery = ListQuery.extend(windowQuery)

export const ReservationListQuery = ListQuery.extend({
  ...requiredWindow,
  q: QueryText.optional(),
  resourceId: QueryIds.optional(),
  locationId: QueryIds.optional(),
  status: queryWords(reservationStatuses)
    .optional()
    .describe('Only bookings in one of these statuses; `cancelled` implies `includeCanceled`'),
  type: queryWords(reservationTypes).optional(),
  orgUserId: QueryMembers.optional().describe('Only bookings that one of these members is on'),
  instructorOrgUserId: QueryMembers.optional().describe(
    'Only bookings that one of these members is on as an instructor',
  ),
  includeCanceled: QueryFlag.default(false).describe('`true` also lists cancelled bookings'),
  ongoing: QueryFlag.default(true).describe('`false` leaves out bookings in progress'),
  orderBy: z.enum(['asc', 'desc']).default('desc').describe('The order of the starts. `desc`: the latest first'),
  uninvoiced: QueryFlag.default(false).describe(
    'Only bookings that are not billed. Invoices that are void or failed, and reversed flight charges on the ' +
      'ledger, do not count',
  ),
  endedBefore: WindowLimit.optional().describe(
    'Only bookings that end before this day of the organization’s time zone, or before this instant',
  ),
})

/**
 * Returns conditions on the seats of bookings: one for `orgUserId`, and one for `instructorOrgUserId` as instructors.
 */
export function seatedOf(
  { orgUserId, instructorOrgUserId }: Pick<z.output<typeof ReservationListQuery>, 'orgUserId' | 'instructorOrgUserId'>,
  actor: Actor,
) {
  const { organizationId } = actor
  const [orgUserIds, instructors] = [membersOf(orgUserId, actor), membersOf(instructorOrgUserId, actor)]
  return [
    ...(orgUserIds ? [{ organizationId, orgUserIds }] : []),
    ...(instructors ? [{ organizationId, orgUserIds: instructors, side: 'instructors' as const }] : []),
  ]
}
