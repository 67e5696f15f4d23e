import { escapeHtml } from '../../src/shared/platform/kernel/text.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: #1a2233; --quiet: #5b6579; --line: #dfe3ea; --card: #fff; --ground: #f3f5f8; --act: #2456d6; --on: #fff; --good: #1c7c4a; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf1; --quiet: #9aa4b6; --line: #333b4a; --card: #1b212c; --ground: #11151c; --act: #7fa2ff; --on: #0b1530; --good: #4cc38a; --bad: #ff8a80 } }
* { box-sizing: border-box }
body { margin: 0; padding: 6vh 16px; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 560px; margin: 0 auto; padding: 32px; background: var(--card); border: 1px solid var(--line); border-radius: 12px }
h1 { margin: 0; font-size: 22px }
h1 + p { margin-top: 4px }
.quiet { color: var(--quiet); font-size: 14px }
.total { margin: 24px 0 0; font-size: 34px; font-weight: 650; font-variant-numeric: tabular-nums }
table { width: 100%; margin: 20px 0; border-collapse: collapse }
td { padding: 10px 0; border-top: 1px solid var(--line); vertical-align: top }
td:last-child { padding-left: 16px; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
tfoot td { font-weight: 650 }
.mark { display: inline-block; padding: 2px 10px; border-radius: 99px; border: 1px solid; font-size: 13px; font-weight: 600 }
.good { color: var(--good) } .bad { color: var(--bad) }
button { width: 100%; padding: 12px; border: 1px solid var(--act); border-radius: 8px; background: var(--act); color: var(--on); font: inherit; font-weight: 600; cursor: pointer }
button + button { margin-top: 10px; background: none; color: var(--quiet); border-color: var(--line); font-weight: 400 }
button:focus-visible, a:focus-visible { outline: 3px solid var(--act); outline-offset: 2px }
a { color: var(--act) }
`

/** The content security policy of the pages: no scripts and no external resources. */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

/** Returns a page; `title` is text, `body` is escaped markup. */
export function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main>${body}</main></body>
</html>
`
}
