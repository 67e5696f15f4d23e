import { feeNotifications } from './billing/fees/fees.notifications.ts'
import { invoiceNotifications } from './billing/invoices/invoices.notifications.ts'
import { announcementNotifications } from './communication/announcements/announcements.notifications.ts'
import type { NotificationDefinitions } from './communication/notifications/define-notification.ts'
import { memberNotifications } from './communication/notifications/members.notifications.ts'
import { flightNotifications } from './dispatch/dispatch.notifications.ts'
import { maintenanceNotifications } from './fleet/maintenance/maintenance.notifications.ts'
import { resourceNotifications } from './fleet/resources/resources.notifications.ts'
import { currencyNotifications } from './qualification/currencies/currencies.notifications.ts'
import { documentNotifications } from './qualification/documents/documents.notifications.ts'
import { requestNotifications } from './scheduling/booking-requests/booking-requests.notifications.ts'
import { recoveryNotifications } from './scheduling/recovery.notifications.ts'
import { bulkNotifications } from './scheduling/reservations/bulk.notifications.ts'
import { reservationNotifications } from './scheduling/reservations/reservations.notifications.ts'
import { ruleNotifications } from './scheduling/rules.notifications.ts'
import { offerNotifications } from './scheduling/waitlist.notifications.ts'
import { trainingNotifications } from './training/training.notifications.ts'

/**
 * The definition of each kind: a loader, which checks that it still applies, the audience and the message. Who caused it is left
 * out at delivery.
 */
export const notificationDefinitions: NotificationDefinitions = {
  ...announcementNotifications,
  ...memberNotifications,
  ...resourceNotifications,
  ...maintenanceNotifications,
  ...documentNotifications,
  ...currencyNotifications,
  ...ruleNotifications,
  ...reservationNotifications,
  ...bulkNotifications,
  ...offerNotifications,
  ...recoveryNotifications,
  ...requestNotifications,
  ...flightNotifications,
  ...feeNotifications,
  ...invoiceNotifications,
  ...trainingNotifications,
}
