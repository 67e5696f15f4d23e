import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import { neededByApi } from '../../shared/composition/health.ts'
import { platformErrors } from '../../shared/platform/platform.errors.ts'
import { isLocal } from '../http/local-visitor.ts'
import { prefersPage } from '../http/problem.ts'
import type { Services } from '../http/services.ts'
import { countPage } from '../http/special-limits.ts'
import { type DemoPerson, frontPage, type LocalPages, signedInPage } from './front-page.ts'
import { pagePolicy } from './layout.ts'

/** What the front page offers in addition when the service runs with stand-ins. In production it is null. */
export interface LocalFront extends LocalPages {
  /** Returns a token of a person of the demo school; null when there is none. */
  signIn(person: DemoPerson): Promise<string | null>
}

const Front = z.object({
  name: z.literal('Flightline'),
  status: z.enum(['ok', 'unavailable']),
  version: z.string(),
  links: z.object({ reference: z.string(), document: z.string(), health: z.string(), queues: z.string() }),
})

const links = { reference: '/docs', document: '/openapi.json', health: '/health', queues: '/ops/queues' }
const html = 'text/html; charset=utf-8'

/** Serves `GET /`: a page for browsers, JSON for other clients. */
export function installFrontPage(app: FastifyInstance, services: Services, local: LocalFront | null): void {
  app.get(
    '/',
    {
      onRequest: countPage(services),
      config: {
        endpoint: {
          id: 'readFront',
          access: 'anyone',
          tag: 'Service',
          summary: 'Read what the service is',
          description:
            'Returns links to the parts of the service: a page for browsers, JSON for other clients. JSON has no ' +
            '`data` envelope.',
          answers: { 200: Front },
          errors: [platformErrors.tooManyRequests],
          otherMedia: ['text/html'],
        },
      },
      schema: { response: { 200: Front } },
    },
    async (request, reply) => {
      const status = (await services.health.works(neededByApi)) ? 'ok' : 'unavailable'
      const { version } = packageJson
      if (!prefersPage(request)) return { name: 'Flightline', status, version, links }
      return reply
        .header('content-security-policy', pagePolicy)
        .type(html)
        .serializer(String)
        .send(frontPage({ status, version }, isLocal(request) ? local : null))
    },
  )
  if (local) installSignIn(app, services, local)
}

/**
 * Serves the form of the front page, for visitors on the same machine: returns a token of a person of the demo school.
 */
function installSignIn(app: FastifyInstance, { config }: Services, local: LocalFront): void {
  app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.post('/demo/sign-in', { bodyLimit: 1_000 }, async (request, reply) => {
      const { email } = (request.body ?? {}) as { email?: string }
      const person = local.people.find((one) => one.email === email)
      const token = person && isLocal(request) && isFromHere(request) ? await local.signIn(person) : null
      if (!person || token === null) return reply.callNotFound()
      return reply
        .header('content-security-policy', pagePolicy)
        .type(html)
        .serializer(String)
        .send(signedInPage(config.PUBLIC_URL, person, token))
    })
  })
}

/** Returns whether a form was sent from the front page itself. */
function isFromHere({ headers }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  return site === undefined ? origin === undefined || origin === `http://${headers.host}` : site === 'same-origin'
}
