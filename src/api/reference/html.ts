import { escapeHtml } from '../../shared/platform/kernel/text.ts'

/** Markup that is safe to send unchanged. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type Part = Html | string | number | false | null | undefined | readonly Part[]

/** Builds markup from a template. Inserted strings are escaped; inserted `Html` is not. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, index) => text + written(parts[index])).join(''))
}

function written(part: Part): string {
  if (part instanceof Html) return part.markup
  if (Array.isArray(part)) return part.map(written).join('')
  if (part === false || part === null || part === undefined) return ''
  return escapeHtml(String(part))
}
