import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { creditNoteRoutes } from './billing/credit-notes/credit-notes.routes.ts'
import { invoiceBatchRoutes } from './billing/invoices/batch.routes.ts'
import { invoiceChangeRoutes } from './billing/invoices/invoice-changes.routes.ts'
import { invoicePdfRoutes } from './billing/invoices/invoice-pdf.routes.ts'
import { invoiceRoutes } from './billing/invoices/invoices.routes.ts'
import { prepaidRoutes } from './billing/invoices/prepaid.routes.ts'
import { ledgerRoutes } from './billing/ledger/ledger.routes.ts'
import { stripeRoutes } from './billing/payments/stripe.routes.ts'
import { installStripeWebhook } from './billing/payments/stripe-webhook.ts'
import { announcementRoutes } from './communication/announcements/announcements.routes.ts'
import { connectionRoutes } from './communication/meetings/connections.routes.ts'
import { notificationRoutes } from './communication/notifications/notifications.routes.ts'
import { installUnsubscribing } from './communication/notifications/unsubscribe.routes.ts'
import { webhookRoutes } from './communication/webhooks/webhooks.routes.ts'
import { boardRoutes } from './dispatch/board.routes.ts'
import { closeOutRoutes } from './dispatch/close-out.routes.ts'
import { flightLogRoutes } from './dispatch/flight-log.routes.ts'
import { logbookRoutes } from './dispatch/logbook.routes.ts'
import { releaseRoutes } from './dispatch/release.routes.ts'
import { aircraftMaintenanceRoutes } from './fleet/maintenance/aircraft.routes.ts'
import { maintenanceItemRoutes } from './fleet/maintenance/maintenance-items.routes.ts'
import { squawkFileRoutes } from './fleet/maintenance/squawk-files.routes.ts'
import { squawkRoutes } from './fleet/maintenance/squawks.routes.ts'
import { fileRoutes } from './fleet/resources/files.routes.ts'
import { resourceRoutes } from './fleet/resources/resources.routes.ts'
import { installCompression } from './http/compression.ts'
import { installConditions, installTagsOfEncodings } from './http/conditions.ts'
import { installDrain } from './http/drain.ts'
import { endpointsOf, mount, prepareRequests, type Routes } from './http/endpoint.ts'
import { answerUnreadable, answerUnroutable, installErrorHandler } from './http/error-handler.ts'
import { installJsonParser } from './http/json-parser.ts'
import { installOddRequests } from './http/odd-requests.ts'
import { installReference } from './http/openapi.ts'
import { BODY_LIMIT } from './http/read-body.ts'
import { installResponseHeaders, putCommonHeaders } from './http/response-headers.ts'
import { serializerCompiler } from './http/serializer.ts'
import type { Services } from './http/services.ts'
import { validatorCompiler } from './http/validation.ts'
import { accountRoutes } from './identity/accounts/accounts.routes.ts'
import { groupRoutes } from './identity/groups/groups.routes.ts'
import { invitationRoutes } from './identity/joining/invitations.routes.ts'
import { joinRequestRoutes } from './identity/joining/join-requests.routes.ts'
import { locationRoutes } from './identity/locations/locations.routes.ts'
import { availabilityRoutes } from './identity/members/availability.routes.ts'
import { erasingRoutes } from './identity/members/erasing.routes.ts'
import { memberRoutes } from './identity/members/members.routes.ts'
import { mergingRoutes } from './identity/members/merging.routes.ts'
import { orgUserRoutes } from './identity/members/org-users.routes.ts'
import { organizationRoutes } from './identity/organizations/organizations.routes.ts'
import { profileRoutes } from './identity/profiles/profiles.routes.ts'
import { balanceReportRoutes } from './insight/reports/balances.routes.ts'
import { currencyReportRoutes } from './insight/reports/currencies.routes.ts'
import { reportRoutes } from './insight/reports/reports.routes.ts'
import { reportViewRoutes } from './insight/reports/views.routes.ts'
import { searchRoutes } from './insight/search/search.routes.ts'
import { todoRoutes } from './insight/todo/todo.routes.ts'
import { installPages } from './pages/pages.routes.ts'
import { auditRoutes } from './platform/events/audit.routes.ts'
import { operationRoutes } from './platform/operations/operations.routes.ts'
import { installUploads } from './platform/storage/uploads.routes.ts'
import { exportRoutes } from './portability/exports/exports.routes.ts'
import { importRoutes } from './portability/imports/imports.routes.ts'
import { approvalRoutes } from './qualification/approvals/approvals.routes.ts'
import { currencyRoutes } from './qualification/currencies/currencies.routes.ts'
import { documentRoutes } from './qualification/documents/documents.routes.ts'
import { minimumsRoutes } from './qualification/minimums/minimums.routes.ts'
import { installFrontPage, type LocalFront } from './reference/front.routes.ts'
import { installReferencePages } from './reference/reference.routes.ts'
import { bookingRequestRoutes } from './scheduling/booking-requests/booking-requests.routes.ts'
import { convertRoutes } from './scheduling/booking-requests/convert.routes.ts'
import { calendarRoutes } from './scheduling/calendar/calendar.routes.ts'
import { closureRoutes } from './scheduling/closures/closures.routes.ts'
import { offeringRoutes } from './scheduling/offerings/offerings.routes.ts'
import { publicOfferingRoutes } from './scheduling/offerings/public.routes.ts'
import { openingRoutes } from './scheduling/openings/openings.routes.ts'
import { atRiskRoutes } from './scheduling/reservations/at-risk.routes.ts'
import { bulkRoutes } from './scheduling/reservations/bulk.routes.ts'
import { reservationLookupRoutes } from './scheduling/reservations/lookups.routes.ts'
import { reservationRoutes } from './scheduling/reservations/reservations.routes.ts'
import { ruleRoutes } from './scheduling/rules/rules.routes.ts'
import { weatherRoutes } from './scheduling/weather/weather.routes.ts'
import { installMetrics } from './service/metrics.ts'
import { installQueueDashboard } from './service/queue-dashboard.ts'
import { serviceRoutes } from './service/service.routes.ts'
import { installTracing } from './service/tracing.ts'
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
import { recordRoutes } from './training/records/records.routes.ts'
import { templateRoutes } from './training/templates/templates.routes.ts'
import { testRoutes } from './training/tests/tests.routes.ts'

/** The routes of the interface, by domain. */
const interfaceRoutes: Routes[] = [
  accountRoutes,
  memberRoutes,
  orgUserRoutes,
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
  reservationRoutes,
  reservationLookupRoutes,
  bulkRoutes,
  atRiskRoutes,
  operationRoutes,
  importRoutes,
  exportRoutes,
  openingRoutes,
  closureRoutes,
  ruleRoutes,
  calendarRoutes,
  bookingRequestRoutes,
  currencyRoutes,
  minimumsRoutes,
  documentRoutes,
  closeOutRoutes,
  releaseRoutes,
  boardRoutes,
  flightLogRoutes,
  logbookRoutes,
  invoiceRoutes,
  invoiceBatchRoutes,
  invoiceChangeRoutes,
  invoicePdfRoutes,
  creditNoteRoutes,
  prepaidRoutes,
  ledgerRoutes,
  stripeRoutes,
  connectionRoutes,
  courseRoutes,
  versionRoutes,
  syllabusRoutes,
  templateRoutes,
  enrollmentRoutes,
  studentRoutes,
  enrollmentFileRoutes,
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
  currencyReportRoutes,
  reportViewRoutes,
  auditRoutes,
  searchRoutes,
  todoRoutes,
  weatherRoutes,
  webhookRoutes,
]

/** The declared endpoints. They are declared once, however many apps a process builds. */
export const endpoints = interfaceRoutes.flatMap(endpointsOf)

/**
 * How long a request may take to arrive, in milliseconds: 30 seconds for its headers. Bodies have their own limits; the
 * limit of the whole request is a little more than the longest of them, for bodies that no route reads.
 */
const arrival = { headersTimeout: 30_000, requestTimeout: 130_000, connectionsCheckingInterval: 5_000 }

/**
 * Builds the API on the given services. The server listens on it; tests inject requests. `local` is what a start with
 * stand-ins adds to the front page.
 */
export async function buildApp(services: Services, local: LocalFront | null = null): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: services.log,
    // The metrics write one line per request, with its route instead of its URL.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT,
    requestTimeout: arrival.requestTimeout,
    // A missing Host is refused in the error envelope, not by the server's own 400 without a body.
    http: { ...arrival, requireHostHeader: false },
    trustProxy: services.config.TRUSTED_PROXIES.length > 0 ? services.config.TRUSTED_PROXIES : false,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Hooks do not run for requests that the router refuses.
    frameworkErrors: (error, request, reply) => {
      putCommonHeaders(services.rateLimits, request as unknown as FastifyRequest, reply as unknown as FastifyReply)
      answerUnroutable(error, request as unknown as FastifyRequest, reply as unknown as FastifyReply)
    },
    clientErrorHandler: answerUnreadable,
  })
  installErrorHandler(app)
  installJsonParser(app)
  installDrain(app)
  installTracing(app, services.tracing)
  await installResponseHeaders(app, services.rateLimits)
  installConditions(app)
  await installCompression(app)
  installTagsOfEncodings(app)
  installOddRequests(app)
  installMetrics(app, services)
  await installInterface(app, services, local)
  installPages(app)
  await installUnsubscribing(app, services)
  installReferencePages(app, { publicUrl: services.config.PUBLIC_URL })
  await installQueueDashboard(app, services)
  return app
}

/** Mounts the endpoints and their reference: everything that the OpenAPI document describes. */
export async function installInterface(
  app: FastifyInstance,
  services: Services,
  local: LocalFront | null = null,
): Promise<void> {
  prepareRequests(app)
  app.setValidatorCompiler(validatorCompiler as never)
  app.setSerializerCompiler(serializerCompiler as never)
  await installReference(app, services.config?.PUBLIC_URL)
  await app.register(async (scope) => {
    for (const endpoint of endpoints) mount(scope, services, endpoint, endpoints)
    serviceRoutes(scope, services)
    installFrontPage(scope, services, local)
    installStripeWebhook(scope, services)
    await installUploads(scope, services)
  })
}
