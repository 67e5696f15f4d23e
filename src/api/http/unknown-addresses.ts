import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { httpErrors } from './http.errors.ts'
import { prefersPage } from './problem.ts'
import { isForOperators } from './response-headers.ts'
import { StaticPage } from './static-page.ts'

/** The page that a browser gets, with its content security policy. */
interface MissingPage {
  html: string
  policy: string
}

/**
 * Answers requests without a route: 405 with `Allow` when the address has other methods, otherwise 404. It does not
 * depend on the caller, and precedes the body. Browsers get a page. The operators' pages do not tell their methods.
 */
export function installUnknownAddresses(app: FastifyInstance, { html, policy }: MissingPage): void {
  const page = new StaticPage(html)
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const methods = isForOperators(request.url) ? [] : app.knownMethods.at(request.url)
    const isMissing = methods.length === 0 || methods.includes(request.method)
    const error = isMissing ? httpErrors.nothingHere() : httpErrors.noSuchMethod({ methods: methods.join(', ') })
    if (!isMissing) reply.header('allow', methods.join(', '))
    if (!prefersPage(request)) throw error
    return page.send(request, reply.code(error.status).header('content-security-policy', policy))
  }
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 || app.knownMethods.isMistaken(request)) return answer(request, reply)
  })
  app.setNotFoundHandler(answer)
}
