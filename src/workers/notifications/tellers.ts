import { admins, deskStaff } from '../../shared/authz/roles.ts'
import { maintainers } from '../../shared/maintenance/change-squawk.ts'
import type { RaisedKind } from '../../shared/notifications/kinds.ts'
import {
  bookingCancelled,
  bookingChanged,
  bookingCreated,
  bookingUpcoming,
  reviewNeeded,
} from '../../shared/notifications/wording/booking.rules.ts'
import { invoicePaid, invoiceRaised, invoiceReminder } from '../../shared/notifications/wording/invoice.rules.ts'
import { joinRequested } from '../../shared/notifications/wording/join-request.rules.ts'
import { maintenanceDue, squawkOpened } from '../../shared/notifications/wording/maintenance.rules.ts'
import { resourceGrounded, resourceReturned } from '../../shared/notifications/wording/resource.rules.ts'
import {
  endorsementExpiring,
  endorsementIssued,
  recordToCountersign,
} from '../../shared/notifications/wording/training.rules.ts'
import { ahead, cancelled, seated, standing, unsigned, yetToSign } from './about-bookings.ts'
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
 * Every kind that something raises: what must still be so for it to be told, whom it concerns, and what they are
 * told. Who caused it is left out later, whoever they are.
 */
export const tellers: Readonly<Record<RaisedKind, Teller>> = {
  reservation_created: teller(standing, seated, bookingCreated),
  reservation_changed: teller(standing, seated, bookingChanged),
  reservation_cancelled: teller(cancelled, seated, bookingCancelled),
  reservation_upcoming: teller(ahead, seated, bookingUpcoming),
  review_needed: teller(unsigned, yetToSign, reviewNeeded),
  invoice_raised: teller(raised, payer, invoiceRaised),
  invoice_paid: teller(paid, everyone(admins), invoicePaid),
  invoice_reminder: teller(unpaid, payer, invoiceReminder),
  join_request: teller(pending, everyone(deskStaff), joinRequested),
  record_to_countersign: teller(uncountersigned, student, recordToCountersign),
  endorsement_issued: teller(standingEndorsement, endorsed, endorsementIssued),
  endorsement_expiring: teller(expiringEndorsement, endorsedAndSigner, endorsementExpiring),
  squawk_opened: teller(openSquawk, everyone(maintainers), squawkOpened),
  resource_grounded: teller(grounded, adminsAndBooked, resourceGrounded),
  resource_returned: teller(inService, adminsAndBooked, resourceReturned),
  maintenance_due: teller(dueReminder, everyone(maintainers), maintenanceDue),
}
