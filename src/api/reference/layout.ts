import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Html, html } from './html.ts'

const style = readFileSync(new URL('./page.css', import.meta.url), 'utf8')
const digest = createHash('sha256').update(style).digest('base64')

/** The content security policy: no scripts and no external resources; forms can be sent to this service only. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${digest}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A link in the contents. */
export interface Link {
  href: string
  title: string
}

interface Page {
  title: string
  body: Html
  /** The lists of links beside the page, by heading. */
  contents?: Record<string, Link[]>
  /** The address of this page, which is marked in the contents. */
  here?: string
  /** The text in the search field. */
  query?: string
}

/** Returns a whole page: header with search, contents beside it, and the body. */
export function layout({ title, body, contents = {}, here = '', query = '' }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Flightline</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
<header>
<a class="brand" href="/">Flightline</a>
<nav aria-label="Service"><a href="/docs">Reference</a><a href="/docs/guides/first-request">Guides</a><a href="/docs/errors">Errors</a><a href="/docs/try">Try it out</a></nav>
<form role="search" action="/docs/find" method="get">
<input type="search" name="q" value="${query}" maxlength="100" aria-label="Search the reference" placeholder="Search operations, fields and codes">
<button>Search</button>
</form>
</header>
<div class="columns${Object.keys(contents).length === 0 && ' alone'}">
${Object.keys(contents).length > 0 && contentsOf(contents, here)}
<main id="main" tabindex="-1">${body}</main>
</div>
</body>
</html>
`.markup
}

function contentsOf(contents: Record<string, Link[]>, here: string): Html {
  return html`<nav class="contents" aria-label="Contents">${Object.entries(contents).map(
    ([heading, links]) =>
      html`<h2>${heading}</h2><ul>${links.map(
        ({ href, title }) =>
          html`<li><a href="${href}"${href === here && html` aria-current="page"`}>${title}</a></li>`,
      )}</ul>`,
  )}</nav>`
}
