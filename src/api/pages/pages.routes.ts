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
  'connected-account',
] as const

/**
 * Serves the pages of mailed links (confirm an address, set a new password, accept an invitation, confirm a request,
 * choose notifications, see who is stalled) and the page with the result of a connection. A page contains all its styles and scripts and
 * sends requests to this service only; the content security policy forbids anything else.
 */
export function installPages(app: FastifyInstance, services: Services): void {
  const { html, headers } = readPage({
    layout: new URL('./page/page.html', import.meta.url),
    script: new URL('./page/page.js', import.meta.url),
    formAction: 'none',
  })
  const install = (page: string, sent: Record<string, string>, itself: string) =>
    app.get(`/${page}`, { onRequest: countPage(services) }, (_request, reply) =>
      reply.headers(sent).type('text/html; charset=utf-8').send(itself),
    )
  for (const page of pages) install(page, headers, html.replace('data-page="page"', `data-page="${page}"`))
  const stalled = readPage({
    layout: new URL('./page/stalled.html', import.meta.url),
    script: new URL('./page/stalled.js', import.meta.url),
    formAction: 'none',
  })
  install('stalled-students', stalled.headers, stalled.html)
}
