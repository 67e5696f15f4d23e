import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import { type FeeTemplateData, feeProposed } from '../../../shared/communication/notifications/templates/fee.rules.ts'
import { findNameAndZone, findSettings } from '../../../shared/identity/organizations/organization.queries.ts'
import { findReservation } from '../../../shared/scheduling/reservations/one-reservation.queries.ts'
import { defineNotification, type NotificationSources } from '../../communication/notifications/define-notification.ts'

interface ProposedFee extends FeeTemplateData {
  payers: Audience
}

/** Returns the fee of more than 0 cents that is still proposed for a booking; null otherwise. */
async function proposedFee(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<ProposedFee | null> {
  const row = await findReservation(database, organizationId, subjectId)
  const fee = row?.fees.findLast(({ status, cents }) => status === 'proposed' && cents > 0)
  if (!row || !fee) return null
  const { name: organization } = await findNameAndZone(database.db, organizationId)
  const { currency } = await findSettings(database.db, organizationId)
  const { orgUserId, payerId } = fee
  const guests = row.seats.flatMap(({ side, guestId }) => (side === 'guests' && guestId !== null ? [guestId] : []))
  return {
    id: row.id,
    organization,
    start: row.starts_at,
    zone: row.time_zone_name,
    resource: row.resource?.name ?? null,
    cents: fee.cents,
    currency,
    cancelledAt: row.cancelled_at ?? new Date(fee.cancelledAt),
    chargeAt: fee.chargeAt === null ? null : new Date(fee.chargeAt),
    payers: {
      orgUserIds: [...new Set([orgUserId, payerId].flatMap((id) => id ?? []))],
      guestIds: orgUserId === null ? guests.slice(0, 1) : [],
    },
  }
}

/** The notifications of cancellation fees, to whose share it is and to who pays it. */
export const feeNotifications = {
  fee_proposed: defineNotification(proposedFee, ({ payers }) => payers, feeProposed),
}
