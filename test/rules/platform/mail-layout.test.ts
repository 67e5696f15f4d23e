import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type MailContent, renderMail } from '../../../src/shared/platform/adapters/mail/layout.ts'
import { oneLine } from '../../../src/shared/platform/kernel/text.ts'

const CONTENT: MailContent = {
  title: 'Confirm your address',
  paragraphs: ['Welcome, Ana.', 'Confirm your address to book your first flight.'],
  action: { label: 'Confirm', url: 'https://school.example/verify?token=abc&next=%2Fhome' },
  footer: 'Sent by Flightline for Skyway Flying Club.',
}

/** The markup alone: every tag with its attributes, the target of links left out. */
function skeleton(html: string): string[] {
  return (html.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/href="[^"]*"/, 'href'))
}

describe('the text of a mail', () => {
  test('has every paragraph and the full address of the action', () => {
    expect(renderMail(CONTENT).text).toBe(
      [
        'Confirm your address',
        'Welcome, Ana.',
        'Confirm your address to book your first flight.',
        'Confirm:\nhttps://school.example/verify?token=abc&next=%2Fhome',
        '-- \nSent by Flightline for Skyway Flying Club.\n',
      ].join('\n\n'),
    )
  })

  test('never has a paragraph made by a name', () => {
    const { text } = renderMail({
      ...CONTENT,
      action: undefined,
      paragraphs: ['Ana\r\n\r\nPay here\u0000 invited you.'],
    })
    expect(text).toContain('\n\nAna Pay here invited you.\n\n')
  })
})

describe('the HTML of a mail', () => {
  test.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['</p></td><img src=x onerror=alert(1)>', '&lt;/p&gt;&lt;/td&gt;&lt;img src=x onerror=alert(1)&gt;'],
    ['" onmouseover="alert(1)', '&quot; onmouseover=&quot;alert(1)'],
    ["O'Hara & Sons", 'O&#39;Hara &amp; Sons'],
    ['&lt;already escaped&gt;', '&amp;lt;already escaped&amp;gt;'],
    ['<!-- comment', '&lt;!-- comment'],
  ])('shows %j as it was typed', (typed, escaped) => {
    const everywhere = { title: typed, preheader: typed, paragraphs: [typed], footer: typed }
    const { html } = renderMail({ ...CONTENT, ...everywhere, action: { label: typed, url: 'https://school.example/' } })
    expect(html.split(escaped)).toHaveLength(7)
    expect(html).not.toContain(`>${typed}<`)
  })

  test('shows the first paragraph after the subject when nothing else is given', () => {
    expect(renderMail(CONTENT).html).toMatch(/opacity:0">Welcome, Ana\.<\/div>/)
    expect(renderMail({ ...CONTENT, preheader: 'One step left.' }).html).toMatch(/opacity:0">One step left\.<\/div>/)
  })

  test('links to the action and shows its address', () => {
    const { html } = renderMail(CONTENT)
    const address = 'https://school.example/verify?token=abc&amp;next=%2Fhome'
    expect(html).toContain(`<a href="${address}" target="_blank"`)
    expect(html).toContain(`>${address}</a>`)
  })

  test('has no button without an action', () => {
    expect(renderMail({ ...CONTENT, action: undefined }).html).not.toContain('<a ')
  })

  test('loads nothing from elsewhere', () => {
    expect(renderMail({ ...CONTENT, action: undefined }).html).not.toMatch(/https?:|src=|url\(/)
  })

  test('has the same markup whatever the content', () => {
    const markup = skeleton(renderMail(CONTENT).html)
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '!', '-', 'a', ' ', '\n', '\0', '\ud800') }),
    )
    const said = nasty.filter((value) => oneLine(value) !== '')
    fc.assert(
      fc.property(nasty, nasty, said, said, nasty, nasty, (title, preheader, first, second, label, footer) => {
        const action = { label, url: `https://school.example/?q=${encodeURIComponent(label.toWellFormed())}` }
        const { html } = renderMail({ title, preheader, paragraphs: [first, second], action, footer })
        expect(skeleton(html)).toEqual(markup)
      }),
    )
  })

  test('stays inside the link whatever the address', () => {
    const markup = skeleton(renderMail(CONTENT).html)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (tail) => {
        const url = `https://school.example/${tail}`
        fc.pre(URL.canParse(url) && !new URL(url).username)
        expect(skeleton(renderMail({ ...CONTENT, action: { label: 'Open', url } }).html)).toEqual(markup)
      }),
    )
  })
})

describe('the address of an action', () => {
  test.each([
    'javascript:alert(1)',
    'data:text/html,hello',
    'file:///etc/passwd',
    'https://school.example@elsewhere.example/',
    '/verify',
    '',
  ])('is refused when it is %j', (url) => {
    expect(() => renderMail({ ...CONTENT, action: { label: 'Open', url } })).toThrow()
  })
})

describe('a text folded to one line', () => {
  test.each([
    ['Your flight\r\nBcc: everyone@school.example', 'Your flight Bcc: everyone@school.example'],
    ['nul\0 tab\t bell\u0007', 'nul tab bell'],
    ['next\u0085line\u2028and\u2029paragraph', 'next line and paragraph'],
    ['moc.\u202eelpmaxe', 'moc.elpmaxe'],
    ['half \ud83d of a pair', 'half \ufffd of a pair'],
    ['  Zoë 👩‍✈️  ', 'Zoë 👩‍✈️'],
  ])('turns %j into %j', (value, line) => {
    expect(oneLine(value)).toBe(line)
  })

  test('never has a control character and is the same when it is folded twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const line = oneLine(value)
        expect(line).not.toMatch(/\p{Cc}/u)
        expect(oneLine(line)).toBe(line)
      }),
    )
  })
})
