import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { setPreferences } from '../../../shared/communication/notifications/set-preferences.ts'
import { endMail } from '../../../shared/communication/notifications/unproven-mail.access.ts'
import { readEndingToken, readUnsubscribeToken } from '../../../shared/communication/notifications/unsubscribe-token.ts'
import { inTransaction } from '../../../shared/platform/db/transaction.ts'
import { networkOf } from '../../../shared/platform/kernel/networks.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { readBody } from '../../http/read-body.ts'
import type { Services } from '../../http/services.ts'

interface Link {
  Params: { token: string }
}

/** The most bytes of a posted form. */
const FORM_BYTES = 4_096

const policy = "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * Mounts the link in a mail that turns off such mails (RFC 8058). It needs no sign-in and no script. A GET shows a page
 * with a button and changes nothing, because mail scanners open links. A POST turns off the mails of that one kind; for
 * an address without an account, all mails of the organization.
 */
export async function installUnsubscribing(app: FastifyInstance, services: Services): Promise<void> {
  const onRequest = (request: FastifyRequest, reply: FastifyReply) =>
    services.rateLimits.consume(reply, [
      ['address', networkOf(request.ip)],
      ['unsubscribing', networkOf(request.ip)],
    ])
  const read = (request: FastifyRequest<Link>) => {
    const { token } = request.params
    const ended = readEndingToken(services.mailTokens, token)
    const named = ended ?? readUnsubscribeToken(services.mailTokens, token)
    if (!named) throw platformErrors.noSuchRecord()
    return named
  }
  await app.register(async (scope) => {
    // A mail program posts `List-Unsubscribe=One-Click` in one of two form types. The body is not needed: the address
    // has it all.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async (_request: FastifyRequest, payload: IncomingMessage) => {
      await readBody(payload, { most: FORM_BYTES })
    })
    scope.get<Link>('/mail/unsubscribe/:token', { onRequest }, async (request, reply) => {
      const named = read(request)
      const what = 'kind' in named ? `mails about “${inWords(named.kind)}”` : 'mails from this organization'
      return html(reply, `<p>Do you want to turn off ${what}?</p><form method="post"><button>Turn off</button></form>`)
    })
    scope.post<Link>('/mail/unsubscribe/:token', { onRequest }, async (request, reply) => {
      const named = read(request)
      const { organizationId } = named
      if ('addressHash' in named) {
        const { addressHash } = named
        await inTransaction(services.database, services.clock, (tx) => endMail(tx, organizationId, addressHash))
        return html(reply, '<p>This organization no longer sends mails to your address.</p>')
      }
      const { orgUserId, kind } = named
      await inTransaction(services.database, services.clock, (tx) =>
        setPreferences(tx, { organizationId, orgUserId }, [{ kind, email: false }]),
      )
      return html(
        reply,
        `<p>Mails about “${inWords(kind)}” are turned off. You can turn them on again in <a href="/mail-preferences#organization=${organizationId}">your notification preferences</a>.</p>`,
      )
    })
  })
}

function inWords(kind: string): string {
  return kind.replaceAll('_', ' ')
}

function html(reply: FastifyReply, body: string) {
  return reply
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Flightline mails</title></head>
<body><main><h1>Mails from Flightline</h1>${body}</main></body>
</html>
`)
}
