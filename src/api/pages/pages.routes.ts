import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

/** The addresses that our mails link to, most with a token behind the fragment, and where providers of meetings lead back to. */
const pages = [
  'verify-email',
  'reset-password',
  'invitation',
  'confirm-request',
  'mail-preferences',
  'connected-account',
] as const

/**
 * Serves the pages behind the links of our mails: confirm an address, set a new password, accept an invitation,
 * confirm a request, choose notifications; and the result of a connection. They hold everything themselves and speak to this
 * service only, so nothing else may run or load in them.
 */
export function installPages(app: FastifyInstance): void {
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
    app.get(`/${page}`, { schema: { hide: true } }, (_request, reply) =>
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
