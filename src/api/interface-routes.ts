import { cardRoutes } from './billing/cards/cards.routes.ts'
import { correctionRoutes } from './billing/credit-notes/corrections.routes.ts'
import { creditNoteRoutes } from './billing/credit-notes/credit-notes.routes.ts'
import { feeRoutes } from './billing/fees/fees.routes.ts'
import { invoiceBatchRoutes } from './billing/invoices/batch.routes.ts'
import { flightInvoiceRoutes } from './billing/invoices/flight-invoices.routes.ts'
import { invoiceChangeRoutes } from './billing/invoices/invoice-changes.routes.ts'
import { invoiceRoutes } from './billing/invoices/invoices.routes.ts'
import { paymentRoutes } from './billing/invoices/payments.routes.ts'
import { prepaidRoutes } from './billing/invoices/prepaid.routes.ts'
import { ledgerRoutes } from './billing/ledger/ledger.routes.ts'
import { packageRoutes } from './billing/packages/packages.routes.ts'
import { payRunRoutes } from './billing/pay-runs/pay-runs.routes.ts'
import { stripeRoutes } from './billing/payments/stripe.routes.ts'
import { statementRoutes } from './billing/statements/statement.routes.ts'
import { announcementRoutes } from './communication/announcements/announcements.routes.ts'
import { connectionRoutes } from './communication/meetings/connections.routes.ts'
import { notificationRoutes } from './communication/notifications/notifications.routes.ts'
import { webhookRoutes } from './communication/webhooks/webhooks.routes.ts'
import { boardRoutes } from './dispatch/board.routes.ts'
import { closeOutRoutes } from './dispatch/close-out.routes.ts'
import { flightLogRoutes } from './dispatch/flight-log.routes.ts'
import { objectionRoutes } from './dispatch/objections.routes.ts'
import { payersRoutes } from './dispatch/payers.routes.ts'
import { releaseRoutes } from './dispatch/release.routes.ts'
import { aircraftMaintenanceRoutes } from './fleet/maintenance/aircraft.routes.ts'
import { completionRoutes } from './fleet/maintenance/completions.routes.ts'
import { maintenanceItemRoutes } from './fleet/maintenance/maintenance-items.routes.ts'
import { squawkFileRoutes } from './fleet/maintenance/squawk-files.routes.ts'
import { squawkRoutes } from './fleet/maintenance/squawks.routes.ts'
import { fileRoutes } from './fleet/resources/files.routes.ts'
import { resourceRoutes } from './fleet/resources/resources.routes.ts'
import type { Routes } from './http/endpoint.ts'
import { accountRoutes } from './identity/accounts/accounts.routes.ts'
import { groupRoutes } from './identity/groups/groups.routes.ts'
import { invitationRoutes } from './identity/joining/invitations.routes.ts'
import { joinRequestRoutes } from './identity/joining/join-requests.routes.ts'
import { locationRoutes } from './identity/locations/locations.routes.ts'
import { availabilityRoutes } from './identity/members/availability.routes.ts'
import { billToRoutes } from './identity/members/bill-to.routes.ts'
import { deskGrantRoutes } from './identity/members/desk-grants.routes.ts'
import { erasingRoutes } from './identity/members/erasing.routes.ts'
import { memberRoutes } from './identity/members/members.routes.ts'
import { mergingRoutes } from './identity/members/merging.routes.ts'
import { orgUserRoutes } from './identity/members/org-users.routes.ts'
import { organizationRoutes } from './identity/organizations/organizations.routes.ts'
import { profileRoutes } from './identity/profiles/profiles.routes.ts'
import { auditRoutes } from './insight/audit/audit.routes.ts'
import { logbookRoutes } from './insight/logbook/logbook.routes.ts'
import { balanceReportRoutes } from './insight/reports/balances.routes.ts'
import { currencyReportRoutes } from './insight/reports/currencies.routes.ts'
import { instructorPayRoutes } from './insight/reports/instructor-pay.routes.ts'
import { insuranceReportRoutes } from './insight/reports/insurance.routes.ts'
import { outlookRoutes } from './insight/reports/outlook.routes.ts'
import { reportRoutes } from './insight/reports/reports.routes.ts'
import { stalledReportRoutes } from './insight/reports/stalled.routes.ts'
import { testReportRoutes } from './insight/reports/tests.routes.ts'
import { reportViewRoutes } from './insight/reports/views.routes.ts'
import { searchRoutes } from './insight/search/search.routes.ts'
import { todoRoutes } from './insight/todo/todo.routes.ts'
import { exportRoutes } from './portability/exports/exports.routes.ts'
import { importRoutes } from './portability/imports/imports.routes.ts'
import { approvalRoutes } from './qualification/approvals/approvals.routes.ts'
import { currencyRoutes } from './qualification/currencies/currencies.routes.ts'
import { currencyRecordRoutes } from './qualification/currencies/currency-records.routes.ts'
import { documentRoutes } from './qualification/documents/documents.routes.ts'
import { minimumsRoutes } from './qualification/minimums/minimums.routes.ts'
import { bookingRequestRoutes } from './scheduling/booking-requests/booking-requests.routes.ts'
import { convertRoutes } from './scheduling/booking-requests/convert.routes.ts'
import { calendarRoutes } from './scheduling/calendar/calendar.routes.ts'
import { closureRoutes } from './scheduling/closures/closures.routes.ts'
import { offeringRoutes } from './scheduling/offerings/offerings.routes.ts'
import { publicOfferingRoutes } from './scheduling/offerings/public.routes.ts'
import { openingRoutes } from './scheduling/openings/openings.routes.ts'
import { recoveryRoutes } from './scheduling/recoveries/recoveries.routes.ts'
import { slotRoutes } from './scheduling/recoveries/slots.routes.ts'
import { atRiskRoutes } from './scheduling/reservations/at-risk.routes.ts'
import { bulkRoutes } from './scheduling/reservations/bulk.routes.ts'
import { reservationLookupRoutes } from './scheduling/reservations/lookups.routes.ts'
import { reservationRoutes } from './scheduling/reservations/reservations.routes.ts'
import { ruleRoutes } from './scheduling/rules/rules.routes.ts'
import { offerRoutes } from './scheduling/waitlist/offers.routes.ts'
import { waitlistRoutes } from './scheduling/waitlist/waitlist.routes.ts'
import { weatherRoutes } from './scheduling/weather/weather.routes.ts'
import { courseRoutes } from './training/courses/courses.routes.ts'
import { syllabusRoutes } from './training/courses/syllabus.routes.ts'
import { versionRoutes } from './training/courses/versions.routes.ts'
import { endorsementRoutes } from './training/endorsements/endorsements.routes.ts'
import { instructorRecordRoutes } from './training/endorsements/instructor-records.routes.ts'
import { creditRoutes } from './training/enrollments/credits.routes.ts'
import { enrollmentFileRoutes } from './training/enrollments/enrollment-file.routes.ts'
import { enrollmentRoutes } from './training/enrollments/enrollments.routes.ts'
import { studentRoutes } from './training/enrollments/students.routes.ts'
import { grantRoutes } from './training/grants/grants.routes.ts'
import { testRoutes } from './training/knowledge-tests/tests.routes.ts'
import { packetRoutes } from './training/readiness/packet.routes.ts'
import { packetDocumentRoutes } from './training/readiness/packet-documents.routes.ts'
import { readinessRoutes } from './training/readiness/readiness.routes.ts'
import { recordRoutes } from './training/records/records.routes.ts'
import { templateRoutes } from './training/templates/templates.routes.ts'
import { operationRoutes } from './workflows/operations/operations.routes.ts'

/** The routes of the interface, by domain. */
export const interfaceRoutes: Routes[] = [
  accountRoutes,
  memberRoutes,
  orgUserRoutes,
  billToRoutes,
  deskGrantRoutes,
  mergingRoutes,
  erasingRoutes,
  profileRoutes,
  availabilityRoutes,
  organizationRoutes,
  invitationRoutes,
  joinRequestRoutes,
  groupRoutes,
  locationRoutes,
  resourceRoutes,
  approvalRoutes,
  fileRoutes,
  squawkRoutes,
  squawkFileRoutes,
  aircraftMaintenanceRoutes,
  maintenanceItemRoutes,
  completionRoutes,
  reservationRoutes,
  reservationLookupRoutes,
  bulkRoutes,
  recoveryRoutes,
  slotRoutes,
  atRiskRoutes,
  operationRoutes,
  importRoutes,
  exportRoutes,
  openingRoutes,
  waitlistRoutes,
  offerRoutes,
  closureRoutes,
  ruleRoutes,
  calendarRoutes,
  bookingRequestRoutes,
  currencyRoutes,
  currencyRecordRoutes,
  minimumsRoutes,
  documentRoutes,
  closeOutRoutes,
  payersRoutes,
  feeRoutes,
  flightInvoiceRoutes,
  releaseRoutes,
  boardRoutes,
  flightLogRoutes,
  logbookRoutes,
  invoiceRoutes,
  invoiceBatchRoutes,
  invoiceChangeRoutes,
  creditNoteRoutes,
  correctionRoutes,
  objectionRoutes,
  packageRoutes,
  cardRoutes,
  paymentRoutes,
  statementRoutes,
  prepaidRoutes,
  ledgerRoutes,
  payRunRoutes,
  stripeRoutes,
  connectionRoutes,
  courseRoutes,
  versionRoutes,
  syllabusRoutes,
  templateRoutes,
  enrollmentRoutes,
  studentRoutes,
  enrollmentFileRoutes,
  readinessRoutes,
  packetRoutes,
  packetDocumentRoutes,
  recordRoutes,
  creditRoutes,
  testRoutes,
  endorsementRoutes,
  instructorRecordRoutes,
  grantRoutes,
  convertRoutes,
  offeringRoutes,
  publicOfferingRoutes,
  notificationRoutes,
  announcementRoutes,
  reportRoutes,
  balanceReportRoutes,
  instructorPayRoutes,
  currencyReportRoutes,
  insuranceReportRoutes,
  testReportRoutes,
  stalledReportRoutes,
  outlookRoutes,
  reportViewRoutes,
  auditRoutes,
  searchRoutes,
  todoRoutes,
  weatherRoutes,
  webhookRoutes,
]
