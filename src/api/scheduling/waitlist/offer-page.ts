import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inTransaction } from '../../../shared/platform/db/transaction.ts'
import { AppError } from '../../../shared/platform/kernel/errors.ts'
import { networkOf } from '../../../shared/platform/kernel/networks.ts'
import { escapeHtml } from '../../../shared/platform/kernel/text.ts'
import { answerOfferLink, assertAccepted } from '../../../shared/workflows/accept-offer.ts'
import { originOf } from '../../http/endpoint.ts'
import { readBody } from '../../http/read-body.ts'
import type { Services } from '../../http/services.ts'
import { countPage } from '../../http/special-limits.ts'
import { readPage } from '../../pages/page.ts'

/** The most bytes of a posted form. */
const FORM_BYTES = 4_096

/**
 * Mounts the page of a mailed offer, with two buttons. Opening it changes nothing, because mail scanners open links. Its script reads
 * the token from the fragment of the address, which no server sees. Without scripts, the person copies the link into a field, and
 * the form posts it.
 */
export async function installOfferPage(app: FastifyInstance, services: Services): Promise<void> {
  const page = readPage({
    layout: new URL('./page/offer.html', import.meta.url),
    script: new URL('./page/offer.js', import.meta.url),
    formAction: 'self',
  })
  const html = (reply: FastifyReply, status: number, body: string) =>
    reply.code(status).headers(page.headers).type('text/html; charset=utf-8').send(body)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      async (_request: FastifyRequest, payload: IncomingMessage) =>
        new URLSearchParams((await readBody(payload, { most: FORM_BYTES })).toString('utf8')),
    )
    scope.get('/offer', { onRequest: countPage(services) }, (_request, reply) => html(reply, 200, page.html))
    const onRequest = (request: FastifyRequest, reply: FastifyReply) =>
      services.rateLimits.consume(reply, [['address', networkOf(request.ip)]])
    scope.post<{ Body: URLSearchParams }>('/offer', { onRequest }, async (request, reply) => {
      const { status, title, text } = await answered(services, request, request.body)
      return html(reply, status, result(page.layout, title, text))
    })
  })
}

interface Result {
  status: number
  title: string
  text: string
}

/** Answers the offer of a posted form. Returns what the page says. */
async function answered(services: Services, request: FastifyRequest, form: URLSearchParams): Promise<Result> {
  const answer = form.get('answer') === 'accept' ? 'accept' : form.get('answer') === 'decline' ? 'decline' : null
  const token = /([\w-]{20,})\s*$/.exec(form.get('link') ?? '')?.[1]
  if (!answer || !token) return { status: 400, title: 'This link is not complete', text: 'Please copy the whole link.' }
  try {
    const { result, enqueued } = await inTransaction(
      services.database,
      services.clock,
      (tx) => answerOfferLink(tx, services.mailTokens, { token, answer }),
      originOf(request),
    )
    services.relay.publish(enqueued)
    assertAccepted(result)
    if (answer === 'accept')
      return { status: 200, title: 'You are booked', text: 'Thank you. You can close this page.' }
    return { status: 200, title: 'You have declined', text: 'The place goes to the next person.' }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { status: error.status, title: 'This did not work', text: error.message }
  }
}

/** Returns the page with a result in place of its form, without the script. */
function result(page: string, title: string, text: string): string {
  return page
    .replace(/<form[\s\S]*<\/form>/, '')
    .replace(/<script>[\s\S]*<\/script>/, '')
    .replace(/(<h1 id="title">)[^<]*/, (_, tag) => `${tag}${escapeHtml(title)}`)
    .replace(/(<p id="text" role="status">)[^<]*/, (_, tag) => `${tag}${escapeHtml(text)}`)
}
