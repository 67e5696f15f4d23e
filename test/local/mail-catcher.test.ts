import { once } from 'node:events'
import { createServer } from 'node:net'
import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type MailCatcher, startMailCatcher } from '../../local/mail/mail-catcher.ts'
import { isForeignHost } from '../../local/servers/host-header-guard.ts'

const HOST = '127.0.0.1'
let catcher: MailCatcher

beforeEach(async () => {
  catcher = await startMailCatcher({ smtpPort: 0, webPort: 0, host: HOST, keep: 3 })
})

afterEach(() => catcher.close())

async function deliver(subject: string, mail: { to?: string; text?: string; html?: string; bcc?: string } = {}) {
  const transport = createTransport({ host: HOST, port: catcher.smtpPort })
  await transport.sendMail({ from: 'School <desk@skyway.example>', to: 'ana@skyway.example', subject, ...mail })
}

const get = (path: string, init?: RequestInit) => fetch(`${catcher.webUrl}${path}`, init)
const list = async () => (await (await get('/email')).json()) as Record<string, unknown>[]
const subjects = async () => (await list()).map(({ subject }) => subject)

describe('the REST interface', () => {
  test('lists the mails as an array, oldest first, with everything in them', async () => {
    await deliver('First', {
      to: '"Ruiz, Ana" <ana@skyway.example>, ben@skyway.example',
      text: 'Hi',
      html: '<p>Hi</p>',
    })
    await deliver('Second', { text: 'Bye' })
    const mails = await list()
    expect(mails).toEqual([
      {
        id: expect.any(String),
        messageId: expect.stringMatching(/^[^<>]+@skyway\.example$/),
        subject: 'First',
        from: { address: 'desk@skyway.example', name: 'School' },
        to: [
          { address: 'ana@skyway.example', name: 'Ruiz, Ana' },
          { address: 'ben@skyway.example', name: '' },
        ],
        text: 'Hi',
        html: '<p>Hi</p>',
        replyTo: null,
        unsubscribe: null,
        calendars: [],
        date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
      expect.objectContaining({ subject: 'Second', text: 'Bye\n', html: '' }),
    ])
    expect(await (await get(`/email/${mails[0]?.id}`)).json()).toEqual(mails[0])
  })

  test('starts with an empty array', async () => {
    expect(await list()).toEqual([])
  })

  test('names the recipient of a mail without a To header', async () => {
    await deliver('Hidden', { to: '', bcc: 'ana@skyway.example' })
    expect(await list()).toMatchObject([{ to: [{ address: 'ana@skyway.example', name: '' }] }])
  })

  test('keeps the newest mails when it is full', async () => {
    for (const subject of ['1', '2', '3', '4']) await deliver(subject)
    expect(await subjects()).toEqual(['2', '3', '4'])
  })

  test('deletes one mail, or all of them', async () => {
    for (const subject of ['1', '2', '3']) await deliver(subject)
    const [first] = await list()
    expect((await get(`/email/${first?.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await get(`/email/${first?.id}`, { method: 'DELETE' })).status).toBe(404)
    expect(await subjects()).toEqual(['2', '3'])
    expect((await get('/email', { method: 'DELETE' })).status).toBe(204)
    expect(await list()).toEqual([])
  })

  test('answers 404 for a mail that is not there', async () => {
    for (const path of ['/email/nothing', '/email/nothing/html']) expect((await get(path)).status).toBe(404)
  })

  test('says when nothing has changed since the last look', async () => {
    await deliver('1')
    const version = (await get('/email')).headers.get('etag') ?? ''
    const again = () => get('/email', { headers: { 'if-none-match': version }, cache: 'no-store' })
    expect((await again()).status).toBe(304)
    await deliver('2')
    expect((await again()).status).toBe(200)
  })
})

describe('the inbox page', () => {
  test.each([
    ['/', 'text/html; charset=utf-8'],
    ['/inbox.css', 'text/css; charset=utf-8'],
    ['/inbox.js', 'text/javascript; charset=utf-8'],
  ])('%s is served by itself, with nothing from elsewhere', async (path, type) => {
    const answer = await get(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await answer.text()).not.toMatch(/https?:\/\//)
  })

  test('shows the HTML of a mail where it can run nothing and load nothing', async () => {
    await deliver('Nasty', { html: '<script>alert(1)</script><p>Hi</p>' })
    const [mail] = await list()
    const answer = await get(`/email/${mail?.id}/html`)
    expect(await answer.text()).toContain('<p>Hi</p>')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';/)
    expect(policy).not.toMatch(/script-src|allow-scripts|allow-same-origin/)
  })

  test.each([
    ['127.0.0.1', 'localhost', false],
    ['127.0.0.1', '127.0.0.1', false],
    ['127.0.0.1', 'mail.localhost', false],
    ['::1', '[::1]', false],
    ['127.0.0.1', 'rebound.example', true],
    ['localhost', 'localhost.rebound.example', true],
    ['0.0.0.0', 'mail.school.example', false],
  ])('on %s, asked for as %s: strange is %s', (listening, asked, strange) => {
    expect(isForeignHost(listening, asked)).toBe(strange)
  })
})

describe('the faults', () => {
  const fault = (body: unknown) =>
    get('/_catcher/faults', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  test('meet the recipients of the pattern as often as asked, and nobody else', async () => {
    expect((await fault({ recipient: '*@FULL.example', kind: 'refuse', times: 2 })).status).toBe(204)
    await deliver('to another')
    for (const _ of [1, 2]) {
      await expect(deliver('refused', { to: 'ana@full.example' })).rejects.toMatchObject({ responseCode: 550 })
    }
    await deliver('in the end', { to: 'ana@full.example' })
    expect(await subjects()).toEqual(['to another', 'in the end'])
  })

  test('defer with 451, once when no number is given', async () => {
    await fault({ recipient: 'ana@skyway.example', kind: 'defer' })
    expect(await (await get('/_catcher/faults')).json()).toEqual([
      { recipient: 'ana@skyway.example', kind: 'defer', times: 1 },
    ])
    await expect(deliver('deferred')).rejects.toMatchObject({ responseCode: 451 })
    expect(await (await get('/_catcher/faults')).json()).toEqual([])
  })

  test('take the pattern literally except for the star', async () => {
    await fault({ recipient: 'a.a@skyway.example', kind: 'refuse' })
    await deliver('not the same', { to: 'ana@skyway.example' })
    expect(await subjects()).toEqual(['not the same'])
  })

  test('are all dropped at once', async () => {
    await fault({ recipient: '*', kind: 'refuse', times: 50 })
    expect((await get('/_catcher/faults', { method: 'DELETE' })).status).toBe(204)
    await deliver('through')
    expect(await subjects()).toEqual(['through'])
  })

  test.each([{}, { recipient: '*' }, { recipient: '*', kind: 'explode' }, { recipient: '*', kind: 'hang', times: 0 }])(
    'that make no sense are refused: %j',
    async (body) => {
      expect((await fault(body)).status).toBe(400)
    },
  )
})

describe('starting', () => {
  test.each([
    ['smtpPort', 'MAIL_SMTP_PORT'],
    ['webPort', 'MAIL_WEB_PORT'],
  ])('on a %s that is taken names the port and %s', async (option, variable) => {
    const squatter = createServer().listen(0, HOST)
    await once(squatter, 'listening')
    const { port } = squatter.address() as { port: number }
    const starting = startMailCatcher({ smtpPort: 0, webPort: 0, host: HOST, [option]: port })
    await expect(starting).rejects.toThrow(`Port ${port} is already taken: set ${variable} to a free one.`)
    squatter.close()
  })

  test('ends at once, with a client still connected and another left hanging', async () => {
    const stopping = await startMailCatcher({
      smtpPort: 0,
      webPort: 0,
      host: HOST,
      faults: [{ recipient: '*', kind: 'hang', times: 1 }],
    })
    const transport = createTransport({ host: HOST, port: stopping.smtpPort, pool: true, maxRequeues: 0 })
    const hanging = transport.sendMail({ from: 'a@b.example', to: 'c@d.example', subject: 'x' }).catch(() => 'cut')
    await expect.poll(() => stopping.faults.all()).toEqual([])
    await stopping.close()
    expect(await hanging).toBe('cut')
    transport.close()
  })
})
