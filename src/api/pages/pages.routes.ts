import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../http/services.ts'
import { countPage } from '../http/special-limits.ts'

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
 * choose notifications) and the page with the result of a connection. A page contains all its styles and scripts and
 * sends requests to this service only; the content security policy forbids anything else.
 */
export function installPages(app: FastifyInstance, services: Services): void {
  const [layout, style, script] = ['page.html', 'page.css', 'page.js'].map(read) as [string, string, string]
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  for (const page of pages) {
    const html = layout
      .replace('data-page="page"', `data-page="${page}"`)
      .replace('/* style */', () => style)
      .replace('/* script */', () => script)
    app.get(`/${page}`, { onRequest: countPage(services), schema: { hide: true } }, (_request, reply) =>
      reply
        .headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
        .type('text/html; charset=utf-8')
        .send(html),
    )
  }
}

function read(file: string): string {
  return readFileSync(new URL(`./page/${file}`, import.meta.url), 'utf8')
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
