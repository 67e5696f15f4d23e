import type { NotificationKind } from '../../../shared/communication/notifications/kinds.ts'
import { announced } from '../../../shared/communication/notifications/templates/announcement.rules.ts'
import {
  bookingCancelled,
  bookingChanged,
  bookingCreated,
  bookingUpcoming,
  reviewNeeded,
} from '../../../shared/communication/notifications/templates/booking.rules.ts'
import {
  requestApproved,
  requestDeclined,
  requestSubmitted,
} from '../../../shared/communication/notifications/templates/booking-request.rules.ts'
import { currencyExpiring } from '../../../shared/communication/notifications/templates/currency.rules.ts'
import { documentExpiring } from '../../../shared/communication/notifications/templates/document.rules.ts'
import {
  invoicePaid,
  invoiceRaised,
  invoiceReminder,
} from '../../../shared/communication/notifications/templates/invoice.rules.ts'
import { joinRequested } from '../../../shared/communication/notifications/templates/join-request.rules.ts'
import {
  maintenanceDue,
  squawkOpened,
} from '../../../shared/communication/notifications/templates/maintenance.rules.ts'
import {
  resourceGrounded,
  resourceReturned,
} from '../../../shared/communication/notifications/templates/resource.rules.ts'
import {
  endorsementExpiring,
  endorsementIssued,
  recordToCountersign,
} from '../../../shared/communication/notifications/templates/training.rules.ts'
import { maintainers } from '../../../shared/fleet/maintenance/change-squawk.ts'
import { admins, deskStaff } from '../../../shared/platform/authz/roles.ts'
import { paid, payer, raised, unpaid } from '../../billing/invoices/invoices.notifications.ts'
import { dueReminder, openSquawk } from '../../fleet/maintenance/maintenance.notifications.ts'
import { adminsAndBooked, grounded, inService } from '../../fleet/resources/resources.notifications.ts'
import { pending } from '../../identity/organizations/join-requests.notifications.ts'
import { expiringCurrency, holder } from '../../qualification/currencies/currencies.notifications.ts'
import { endingDocument, ownerOfDocument } from '../../qualification/documents/documents.notifications.ts'
import {
  approved,
  declined,
  requester,
  undecided,
} from '../../scheduling/booking-requests/booking-requests.notifications.ts'
import {
  activeBooking,
  cancelled,
  crew,
  crewUnlessRequester,
  pendingSigners,
  unsigned,
  upcomingBooking,
} from '../../scheduling/reservations/reservations.notifications.ts'
import {
  endorsed,
  endorsedAndSigner,
  expiringEndorsement,
  standingEndorsement,
  student,
  uncountersigned,
} from '../../training/training.notifications.ts'
import { itsAudience, published } from '../announcements/announcements.notifications.ts'
import { everyone, type NotificationDefinition, teller } from './define-notification.ts'

/**
 * Every kind with its loader (which checks that it still applies), its audience and its message. The delivery later
 * leaves out the member who caused the event.
 */
export const notificationDefinitions: Readonly<Record<NotificationKind, NotificationDefinition>> = {
  reservation_created: teller(activeBooking, crewUnlessRequester, bookingCreated),
  reservation_changed: teller(activeBooking, crew, bookingChanged),
  reservation_cancelled: teller(cancelled, crew, bookingCancelled),
  reservation_upcoming: teller(upcomingBooking, crew, bookingUpcoming),
  review_needed: teller(unsigned, pendingSigners, reviewNeeded),
  booking_request_submitted: teller(undecided, everyone(deskStaff), requestSubmitted),
  booking_request_approved: teller(approved, requester, requestApproved),
  booking_request_declined: teller(declined, requester, requestDeclined),
  invoice_raised: teller(raised, payer, invoiceRaised),
  invoice_paid: teller(paid, everyone(admins), invoicePaid),
  invoice_reminder: teller(unpaid, payer, invoiceReminder),
  join_request: teller(pending, everyone(deskStaff), joinRequested),
  record_to_countersign: teller(uncountersigned, student, recordToCountersign),
  endorsement_issued: teller(standingEndorsement, endorsed, endorsementIssued),
  endorsement_expiring: teller(expiringEndorsement, endorsedAndSigner, endorsementExpiring),
  currency_expiring: teller(expiringCurrency, holder, currencyExpiring),
  document_expiring: teller(endingDocument, ownerOfDocument, documentExpiring),
  squawk_opened: teller(openSquawk, everyone(maintainers), squawkOpened),
  resource_grounded: teller(grounded, adminsAndBooked, resourceGrounded),
  resource_returned: teller(inService, adminsAndBooked, resourceReturned),
  maintenance_due: teller(dueReminder, everyone(maintainers), maintenanceDue),
  announcement: teller(published, itsAudience, announced),
}
