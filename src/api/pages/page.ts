import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A page that contains all its styles and scripts, and the headers that it is sent with. */
export interface Page {
  html: string
  /** The page with a place for its script. */
  layout: string
  headers: Record<string, string>
}

/**
 * Reads a page and its script. It sends requests to this service only; the content security policy forbids anything else.
 * `formAction`: whether its form may be posted to this service.
 */
export function readPage({
  layout,
  script,
  formAction,
}: {
  layout: URL
  script: URL
  formAction: 'self' | 'none'
}): Page {
  const [style, code] = [read(new URL('./page/page.css', import.meta.url)), read(script)]
  const styled = read(layout).replace('/* style */', () => style)
  const policy = [
    "default-src 'none'",
    `script-src '${digest(code)}'`,
    `style-src '${digest(style)}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action '${formAction}'`,
    "frame-ancestors 'none'",
  ]
  return {
    layout: styled,
    html: styled.replace('/* script */', () => code),
    headers: { 'content-security-policy': policy.join('; '), 'cache-control': 'no-store' },
  }
}

function read(file: URL): string {
  return readFileSync(file, 'utf8')
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
