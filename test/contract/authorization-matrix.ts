import { accountRights } from './matrix/accounts.ts'
import { announcementRights } from './matrix/announcements.ts'
import { bookingRequestRights } from './matrix/booking-requests.ts'
import { documentRights } from './matrix/documents.ts'
import { fleetRights } from './matrix/fleet.ts'
import { integrationRights } from './matrix/integrations.ts'
import { maintenanceRights } from './matrix/maintenance.ts'
import { memberRights } from './matrix/members.ts'
import { moneyRights } from './matrix/money.ts'
import { notificationRights } from './matrix/notifications.ts'
import { offeringRights } from './matrix/offerings.ts'
import { organizationRights } from './matrix/organizations.ts'
import { portabilityRights } from './matrix/portability.ts'
import { reportRights } from './matrix/reports.ts'
import type { Rights } from './matrix/rights.ts'
import { schedulingRights } from './matrix/scheduling.ts'
import { searchRights } from './matrix/search.ts'
import { serviceRights } from './matrix/service.ts'
import { courseRights, trainingRights } from './matrix/training.ts'
import { waitlistRights } from './matrix/waitlist.ts'
import { webhookRights } from './matrix/webhooks.ts'

/** Every endpoint and who may call it, from the specification rather than from the code. */
export const matrix: Rights[] = [
  ...accountRights,
  ...memberRights,
  ...organizationRights,
  ...fleetRights,
  ...maintenanceRights,
  ...schedulingRights,
  ...bookingRequestRights,
  ...waitlistRights,
  ...offeringRights,
  ...moneyRights,
  ...courseRights,
  ...trainingRights,
  ...documentRights,
  ...notificationRights,
  ...announcementRights,
  ...reportRights,
  ...searchRights,
  ...portabilityRights,
  ...webhookRights,
  ...integrationRights,
  ...serviceRights,
]
