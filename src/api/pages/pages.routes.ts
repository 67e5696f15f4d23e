import type { FastifyInstance } from 'fastify'
import type { Services } from '../http/services.ts'
import { countPage } from '../http/special-limits.ts'
import { readPage } from './page.ts'

/**
 * The pages to which mails link, most of them with a token in the fragment, and the page to which meeting providers
 * redirect.
 */
const pages = [
  'verify-email',
  'reset-password',
  'invitation',
  'confirm-request',
  'mail-preferences',
  'stalled-students',
  'connected-account',
] as const

/**
 * Serves the pages of mailed links (confirm an address, set a new password, accept an invitation, confirm a request,
 * choose notifications, see who is stalled) and the page with the result of a connection. A page contains all its styles
 * and scripts and sends requests to this service only; the content security policy forbids anything else.
 */
export function installPages(app: FastifyInstance, services: Services): void {
  const { html, headers } = readPage({
    layout: new URL('./page/page.html', import.meta.url),
    script: new URL('./page/page.js', import.meta.url),
    formAction: 'none',
  })
  for (const page of pages) {
    const itself = html.replace('data-page="page"', `data-page="${page}"`)
    app.get(`/${page}`, { onRequest: countPage(services) }, (_request, reply) =>
      reply.headers(headers).type('text/html; charset=utf-8').send(itself),
    )
  }
}
