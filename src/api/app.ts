import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { installStripeWebhook } from './billing/payments/stripe-webhook.ts'
import { installUnsubscribing } from './communication/notifications/unsubscribe.routes.ts'
import { installCompression } from './http/compression.ts'
import { installConditions, installTagsOfEncodings } from './http/conditions.ts'
import { installDrain } from './http/drain.ts'
import { endpointsOf, mount, prepareRequests } from './http/endpoint.ts'
import { answerUnreadable, answerUnroutable, installErrorHandler } from './http/error-handler.ts'
import { installJsonParser } from './http/json-parser.ts'
import { installKnownMethods } from './http/known-methods.ts'
import { installOddRequests } from './http/odd-requests.ts'
import { installReference } from './http/openapi.ts'
import { BODY_LIMIT } from './http/read-body.ts'
import { installResponseHeaders, setCommonHeaders } from './http/response-headers.ts'
import { serializerCompiler } from './http/serializer.ts'
import type { Services } from './http/services.ts'
import { installUnknownAddresses } from './http/unknown-addresses.ts'
import { validatorCompiler } from './http/validation.ts'
import { interfaceRoutes } from './interface-routes.ts'
import { installPages } from './pages/pages.routes.ts'
import { installUploads } from './platform/storage/uploads.routes.ts'
import { installFrontPage, type LocalFront } from './reference/front.routes.ts'
import { missingPage } from './reference/front-page.ts'
import { installReferencePages } from './reference/reference.routes.ts'
import { installOfferPage } from './scheduling/waitlist/offer-page.ts'
import { installMetrics } from './service/metrics.ts'
import { installQueueDashboard } from './service/queue-dashboard.ts'
import { serviceRoutes } from './service/service.routes.ts'
import { installTracing } from './service/tracing.ts'

/** The declared endpoints of all contexts. They are declared once per process, also when it builds several apps. */
export const endpoints = interfaceRoutes.flatMap(endpointsOf)

/**
 * How long a request may take to arrive, in milliseconds. Headers have 30 seconds. Bodies have their own limits; the
 * limit of the whole request is slightly above the longest of them, and applies to bodies that no route reads.
 */
const arrival = { headersTimeout: 30_000, requestTimeout: 130_000, connectionsCheckingInterval: 5_000 }

/**
 * Builds the API on the given services. The server listens on it; tests inject requests. `local` is what the front page
 * shows in addition when the service runs with stand-ins.
 */
export async function buildApp(services: Services, local: LocalFront | null = null): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: services.log,
    // `installMetrics` logs one line per request, with its route instead of its URL.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT,
    requestTimeout: arrival.requestTimeout,
    // A missing Host is answered in the error envelope. The server's own 400 has no body.
    http: { ...arrival, requireHostHeader: false },
    trustProxy: services.config.TRUSTED_PROXIES.length > 0 ? services.config.TRUSTED_PROXIES : false,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Hooks do not run for requests that the router refuses.
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(services.rateLimits, request as unknown as FastifyRequest, reply as unknown as FastifyReply)
      answerUnroutable(error, request as unknown as FastifyRequest, reply as unknown as FastifyReply)
    },
    clientErrorHandler: answerUnreadable,
  })
  installErrorHandler(app, local?.inboxUrl)
  installKnownMethods(app)
  installJsonParser(app)
  installDrain(app)
  installTracing(app, services.tracing)
  await installResponseHeaders(app, services.rateLimits)
  installConditions(app)
  await installCompression(app)
  installTagsOfEncodings(app)
  installOddRequests(app)
  installMetrics(app, services)
  installUnknownAddresses(app, missingPage)
  await installReference(app, services)
  await installInterface(app, services, local)
  installPages(app, services)
  await installUnsubscribing(app, services)
  await installOfferPage(app, services)
  installReferencePages(app, services)
  await installQueueDashboard(app, services)
  return app
}

/** Mounts the endpoints: everything that the OpenAPI document describes. */
export async function installInterface(
  app: FastifyInstance,
  services: Services,
  local: LocalFront | null = null,
): Promise<void> {
  prepareRequests(app, services.config?.DATABASE_POOL_SIZE ?? 1)
  app.setValidatorCompiler(validatorCompiler as never)
  app.setSerializerCompiler(serializerCompiler as never)
  await app.register(async (scope) => {
    for (const endpoint of endpoints) mount(scope, services, endpoint, endpoints)
    serviceRoutes(scope, services)
    installFrontPage(scope, services, local)
    installStripeWebhook(scope, services)
    await installUploads(scope, services)
  })
}
