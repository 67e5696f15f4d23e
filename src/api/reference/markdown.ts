import { Marked } from 'marked'
import { escapeHtml } from '../../shared/platform/kernel/text.ts'
import { Html } from './html.ts'

/** Matches a link from one guide to another, as it is written in the repository. */
const toGuide = /^([\w-]+)\.md(#[\w-]+)?$/
/** Matches a link from a guide to the program that it explains. */
const toProgram = /^\.\.\/\.\.\/examples\/[\w/-]+\.ts$/

/** The id of the program below a guide. */
export const PROGRAM = 'program'

const marked = new Marked({
  gfm: true,
  renderer: {
    // HTML in the Markdown is shown as text.
    html: ({ text }) => escapeHtml(text),
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const [, guide, anchor = ''] = toGuide.exec(href) ?? []
      const elsewhere = toProgram.test(href) ? `#${PROGRAM}` : href
      const target = guide === undefined ? elsewhere : `/docs/guides/${guide}${anchor}`
      return `<a href="${escapeHtml(target)}">${this.parser.parseInline(tokens)}</a>`
    },
  },
})

/** Returns the markup of trusted Markdown: a guide, or a description in the document. */
export function markdown(text: string): Html {
  return new Html(marked.parse(text, { async: false }))
}

/** Returns the markup of one line of Markdown, without a paragraph around it. */
export function inlineMarkdown(text: string): Html {
  return new Html(marked.parseInline(text, { async: false }))
}

/** Returns the URL fragment for a title, such as `booking-requests`. */
export function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
