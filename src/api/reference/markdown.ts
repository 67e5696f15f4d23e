import { Marked } from 'marked'
import { escapeHtml } from '../../shared/platform/kernel/text.ts'
import { Html } from './html.ts'

/** A link from one guide to another, as in the repository. */
const toGuide = /^([\w-]+)\.md(#[\w-]+)?$/

const marked = new Marked({
  gfm: true,
  renderer: {
    // Markup within markdown is shown as text.
    html: ({ text }) => escapeHtml(text),
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const [, guide, anchor = ''] = toGuide.exec(href) ?? []
      const target = guide === undefined ? href : `/docs/guides/${guide}${anchor}`
      return `<a href="${escapeHtml(target)}">${this.parser.parseInline(tokens)}</a>`
    },
  },
})

/** Returns the markup of trusted markdown: a guide, or a description in the document. */
export function markdown(text: string): Html {
  return new Html(marked.parse(text, { async: false }))
}

/** Returns the markup of one line of markdown, without a paragraph around it. */
export function inlineMarkdown(text: string): Html {
  return new Html(marked.parseInline(text, { async: false }))
}

/** Returns the fragment of an address that names a title: `booking-requests`. */
export function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
