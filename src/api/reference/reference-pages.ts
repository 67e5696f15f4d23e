import { errorCodesBySubject } from '../../shared/platform/kernel/error-codes.ts'
import { problemOnlyCodes } from '../../shared/platform/kernel/problem-codes.ts'
import { type DocumentedErrors, documentedCodes } from '../http/errors-page.ts'
import { type Document, hrefOf, type Operation, operationsOf } from './document.ts'
import { eventsBody } from './events-page.ts'
import type { Guide } from './guides.ts'
import { type Html, html } from './html.ts'
import { type Link, layout } from './layout.ts'
import { inlineMarkdown, markdown, PROGRAM, slug } from './markdown.ts'
import { operationSection } from './operation-page.ts'
import { type Results, searchOver } from './search.ts'
import { entriesOf } from './search-entries.ts'

/** The most characters of a result's text. */
const MOST_TEXT = 200

/** The most operations of a page that are shown unfolded. */
const MOST_OPEN = 3

/** The reference, built from the OpenAPI document. Each page is built when it is first requested. */
export interface Reference {
  /** Returns the page at a path below `/docs`; null when there is none. */
  page(path: string): string | null
  search(query: string): string
}

/** Creates the reference of a document. `server` is the base URL in the code samples. */
export function createReference(document: Document, guides: readonly Guide[], server: string): Reference {
  const operations = operationsOf(document)
  const byTag = Map.groupBy(operations, ({ tags }) => slug(tags[0] ?? ''))
  const tags = document.tags.filter(({ name }) => byTag.has(slug(name)))
  const contents: Record<string, Link[]> = {
    Guides: guides.map(({ name, title }) => ({ href: `/docs/guides/${name}`, title })),
    Operations: tags.map(({ name }) => ({ href: `/docs/${slug(name)}`, title: name })),
    More: [
      { href: '/docs/errors', title: 'Errors' },
      { href: '/docs/events', title: 'Events of webhooks' },
      { href: '/docs/try', title: 'Try it out' },
      { href: '/openapi.json', title: 'OpenAPI document' },
    ],
  }
  const written = (here: string, title: string, body: Html) => layout({ title, body, contents, here })
  const pages: Record<string, () => string> = {
    '': () => written('/docs', 'Reference', indexBody(document, tags, byTag)),
    errors: () => written('/docs/errors', 'Errors', errorsBody(document, operations)),
    events: () => written('/docs/events', 'Events of webhooks', eventsBody(document)),
  }
  for (const { name, description } of tags) {
    const path = slug(name)
    pages[path] = () => {
      const listed = byTag.get(path) ?? []
      return written(`/docs/${path}`, name, tagBody({ name, description }, listed, document, server))
    }
  }
  for (const guide of guides) {
    pages[`guides/${guide.name}`] = () => written(`/docs/guides/${guide.name}`, guide.title, guideBody(guide))
  }
  let find: ((query: string) => Results) | undefined
  return {
    page: (path) => (Object.hasOwn(pages, path) ? (pages[path]?.() ?? null) : null),
    search(query) {
      find ??= searchOver(entriesOf(document, guides))
      return layout({ title: 'Search', body: foundBody(query, find(query)), contents, query })
    },
  }
}

function indexBody(document: Document, tags: Document['tags'], byTag: Map<string, Operation[]>): Html {
  return html`<h1>Reference</h1>${markdown(document.info.description)}${tags.map(({ name, description }) => {
    const listed = byTag.get(slug(name)) ?? []
    return html`<section class="card"><h2><a href="/docs/${slug(name)}">${name}</a></h2><p>${description}</p>${linksTo(listed)}</section>`
  })}`
}

function guideBody({ text, program }: Guide): Html {
  return html`<article class="card">${markdown(text)}${
    program && html`<h2 id="${PROGRAM}"><code>${program.path}</code></h2><pre><code>${program.text}</code></pre>`
  }</article>`
}

function linksTo(operations: readonly Operation[]): Html {
  return html`<ul class="plain">${operations.map(
    (operation) =>
      html`<li><a href="${hrefOf(operation)}">${operation.summary}</a><br><span class="faint"><code>${operation.method} ${operation.path}</code></span></li>`,
  )}</ul>`
}

function tagBody(
  { name, description }: Document['tags'][number],
  operations: readonly Operation[],
  document: Document,
  server: string,
): Html {
  return html`<h1>${name}</h1><p>${description}</p><nav class="card" aria-label="Operations of this page">${linksTo(operations)}</nav>${operations.map(
    (operation) => operationSection(document, server, operation, operations.length > MOST_OPEN),
  )}`
}

function errorsBody(document: Document, operations: readonly Operation[]): Html {
  const documented = documentedCodes(document as unknown as DocumentedErrors)
  const sections = Object.entries(errorCodesBySubject).map(
    ([subject, codes]) =>
      html`<section class="card"><h2>${subject}</h2>${Object.entries(codes).map(([code, { status, meaning }]) => {
        const names = new Set(documented.filter((one) => one.code === code).map(({ endpoint }) => endpoint))
        const raisedBy = operations.filter(({ method, path }) => names.has(`${method} ${path}`))
        return html`<h3 id="${code}"><code>${code}</code> <span class="faint">${status.join(', ')}</span></h3><p>${inlineMarkdown(meaning)}</p>
<details><summary>Where it is raised</summary>${linksTo(raisedBy)}</details>`
      })}</section>`,
  )
  const others = Object.entries(problemOnlyCodes).map(
    ([code, meaning]) => html`<h3 id="${code}"><code>${code}</code></h3><p>${inlineMarkdown(meaning)}</p>`,
  )
  return html`<h1>Errors</h1><p>What a client does about each is in the <a href="/docs/guides/errors">guide to errors</a>.</p>${sections}<section class="card"><h2>Only in lists of problems</h2>${others}</section>`
}

function foundBody(query: string, { shown, total }: Results): Html {
  if (query.trim() === '')
    return html`<h1>Search</h1><p>Type a path, a word of a summary, a field, a header, a status or an error code.</p>`
  const count =
    total === 0 ? 'Nothing' : shown.length < total ? `The first ${shown.length} of ${total}` : `${total} found`
  return html`<h1>Search</h1><p role="status">${count} for “${query}”.</p><ul class="plain">${shown.map(
    ({ href, title, text, matched }) =>
      html`<li class="card"><a href="${href}">${title}</a><br><span class="faint">${text.slice(0, MOST_TEXT)}</span>${
        matched.length > 0 && html`<br><code>${matched.join(' ')}</code>`
      }</li>`,
  )}</ul>`
}
