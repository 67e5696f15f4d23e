import type { NotificationKind } from '../../../shared/communication/notifications/kinds.ts'
import { announced } from '../../../shared/communication/notifications/wording/announcement.rules.ts'
import {
  bookingCancelled,
  bookingChanged,
  bookingCreated,
  bookingUpcoming,
  reviewNeeded,
} from '../../../shared/communication/notifications/wording/booking.rules.ts'
import {
  requestApproved,
  requestDeclined,
  requestSubmitted,
} from '../../../shared/communication/notifications/wording/booking-request.rules.ts'
import { currencyExpiring } from '../../../shared/communication/notifications/wording/currency.rules.ts'
import { documentExpiring } from '../../../shared/communication/notifications/wording/document.rules.ts'
import {
  invoicePaid,
  invoiceRaised,
  invoiceReminder,
} from '../../../shared/communication/notifications/wording/invoice.rules.ts'
import { joinRequested } from '../../../shared/communication/notifications/wording/join-request.rules.ts'
import { maintenanceDue, squawkOpened } from '../../../shared/communication/notifications/wording/maintenance.rules.ts'
import {
  resourceGrounded,
  resourceReturned,
} from '../../../shared/communication/notifications/wording/resource.rules.ts'
import {
  endorsementExpiring,
  endorsementIssued,
  recordToCountersign,
} from '../../../shared/communication/notifications/wording/training.rules.ts'
import { maintainers } from '../../../shared/fleet/maintenance/change-squawk.ts'
import { admins, deskStaff } from '../../../shared/platform/authz/roles.ts'
import { itsAudience, published } from './about-announcements.ts'
import { approved, declined, requester, undecided } from './about-booking-requests.ts'
import { ahead, cancelled, seated, seatedUnlessAsked, standing, unsigned, yetToSign } from './about-bookings.ts'
import { expiringCurrency, holder } from './about-currencies.ts'
import { endingDocument, ownerOfDocument } from './about-documents.ts'
import { paid, payer, raised, unpaid } from './about-invoices.ts'
import { pending } from './about-join-requests.ts'
import { dueReminder, openSquawk } from './about-maintenance.ts'
import { adminsAndBooked, grounded, inService } from './about-resources.ts'
import {
  endorsed,
  endorsedAndSigner,
  expiringEndorsement,
  standingEndorsement,
  student,
  uncountersigned,
} from './about-training.ts'
import { everyone, type Teller, teller } from './telling.ts'

/**
 * Every kind: what must still be so for it to be told, whom it concerns, and what they are
 * told. Who caused it is left out later, whoever they are.
 */
export const tellers: Readonly<Record<NotificationKind, Teller>> = {
  reservation_created: teller(standing, seatedUnlessAsked, bookingCreated),
  reservation_changed: teller(standing, seated, bookingChanged),
  reservation_cancelled: teller(cancelled, seated, bookingCancelled),
  reservation_upcoming: teller(ahead, seated, bookingUpcoming),
  review_needed: teller(unsigned, yetToSign, reviewNeeded),
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
