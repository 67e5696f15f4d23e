import { escapeHtml, oneLine } from '../../kernel/text.ts'

/** The content of a mail. Every value is plain text. Line breaks in a paragraph become spaces. */
export interface MailContent {
  title: string
  /** The preview line of an inbox; the first paragraph when undefined. */
  preheader?: string
  paragraphs: string[]
  /** The call to action, as a button. Its URL is shown in full as well. */
  action?: { label: string; url: string }
  footer: string
  /** Links after the footer, such as one that turns off mails of this kind. */
  footerLinks?: { label: string; url: string }[]
}

/**
 * Returns a mail as text and as HTML, 600 pixels wide, for light and dark mode. The content cannot add markup, line breaks or
 * further links: the only links are the action and the footer links.
 * @throws RangeError when a URL is not http or https, or has credentials
 */
export function renderMail(content: MailContent): { text: string; html: string } {
  const title = oneLine(content.title)
  const paragraphs = content.paragraphs.map(oneLine).filter((paragraph) => paragraph !== '')
  const footer = oneLine(content.footer)
  const preheader = oneLine(content.preheader ?? '') || paragraphs[0] || title
  const action = content.action && { label: oneLine(content.action.label), url: webAddress(content.action.url) }

  const links = (content.footerLinks ?? []).map(({ label, url }) => ({ label: oneLine(label), url: webAddress(url) }))

  const text = [
    title,
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ['-- ', footer, ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n'),
  ]
  const html = document(title, preheader, [
    `<h1 class="fl-strong" style="${STYLE.title}">${escapeHtml(title)}</h1>`,
    ...paragraphs.map((paragraph) => `<p class="fl-text" style="${STYLE.paragraph}">${escapeHtml(paragraph)}</p>`),
    ...(action ? [button(action.label, action.url)] : []),
    `<p class="fl-faint fl-rule" style="${STYLE.footer}">${[escapeHtml(footer), ...links.map(anchor)].join(' ')}</p>`,
  ])
  return { text: `${text.join('\n\n')}\n`, html }
}

function anchor({ label, url }: { label: string; url: string }): string {
  return `<a href="${escapeHtml(url)}" target="_blank" rel="noopener" style="color:#64727f">${escapeHtml(label)}</a>`
}

function webAddress(url: string): string {
  const { protocol, username, password, href } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') throw new RangeError('A mail links to http and https only.')
  if (username || password) throw new RangeError('A mail does not link to an address with credentials.')
  return href
}

const FONT = `font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`

const STYLE = {
  brand: `${FONT};font-size:15px;font-weight:700;letter-spacing:.02em;color:#123a63;padding:0 4px 14px`,
  card: 'background:#ffffff;border:1px solid #dde3ea;border-top:4px solid #1b5e9b;border-radius:6px;padding:32px 36px 28px',
  title: `${FONT};font-size:22px;line-height:1.3;font-weight:650;color:#12202f;margin:0 0 18px`,
  paragraph: `${FONT};font-size:16px;line-height:1.55;color:#2b3947;margin:0 0 16px`,
  button: `${FONT};display:inline-block;padding:12px 24px;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none`,
  address: `${FONT};font-size:13px;line-height:1.5;color:#64727f;margin:0 0 24px;word-break:break-all`,
  footer: `${FONT};font-size:13px;line-height:1.5;color:#64727f;margin:28px 0 0;border-top:1px solid #e6ebf0;padding-top:18px`,
  preheader: 'display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;opacity:0',
}

/** Mail clients honour a media query only in a style element, so the dark colours must override inline ones. */
const DARK = `
    @media (prefers-color-scheme: dark) {
      .fl-page { background: #10151a !important }
      .fl-card { background: #1a222b !important; border-color: #2c3844 !important; border-top-color: #4d9be0 !important }
      .fl-brand { color: #9cc8f0 !important }
      .fl-strong { color: #f2f6fa !important }
      .fl-text { color: #d3dce5 !important }
      .fl-faint, .fl-faint a { color: #93a3b2 !important }
      .fl-rule { border-color: #2c3844 !important }
    }
    @media (max-width: 480px) { .fl-card { padding: 24px 20px !important } }`

function button(label: string, url: string): string {
  const href = escapeHtml(url)
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:26px 0 20px"><tr>
            <td bgcolor="#1b5e9b" style="border-radius:5px"><a href="${href}" target="_blank" rel="noopener" style="${STYLE.button}">${escapeHtml(label)}</a></td>
          </tr></table>
          <p class="fl-faint" style="${STYLE.address}">If the button does not work, open this address:<br><a href="${href}" target="_blank" rel="noopener" style="color:#64727f">${href}</a></p>`
}

function document(title: string, preheader: string, body: string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="supported-color-schemes" content="light dark">
  <title>${escapeHtml(title)}</title>
  <style>
    :root { color-scheme: light dark }${DARK}
  </style>
</head>
<body class="fl-page" style="margin:0;padding:0;background:#eef2f6">
  <div style="${STYLE.preheader}">${escapeHtml(preheader)}</div>
  <table role="presentation" class="fl-page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#eef2f6"><tr>
    <td align="center" style="padding:32px 12px">
      <table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px">
        <tr><td class="fl-brand" style="${STYLE.brand}">Flightline</td></tr>
        <tr><td class="fl-card" style="${STYLE.card}">
          ${body.join('\n          ')}
        </td></tr>
      </table>
    </td>
  </tr></table>
</body>
</html>
`
}
