import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type MailCatcher, startMailCatcher } from '../../local/mail/mail-catcher.ts'
import {
  type Mail,
  type Mailer,
  MailRefused,
  MailUnavailable,
} from '../../src/shared/platform/adapters/mail/mailer.port.ts'
import { createSmtpMailer, type SmtpOptions } from '../../src/shared/platform/adapters/mail/smtp.ts'

const MAIL: Mail = {
  to: { name: 'Ana Ruiz', address: 'ana@skyway.example' },
  subject: 'Your flight on Monday',
  text: 'N172SP at 10:00.\n',
  html: '<p>N172SP at <b>10:00</b>.</p>',
  messageId: 'outbox-41@flightline.example',
}

const to = (address: string): Mail => ({ ...MAIL, to: { name: 'Ana Ruiz', address } })

let catcher: MailCatcher
let mailer: Mailer

function mailerFor(url: string, options: Partial<SmtpOptions> = {}): Mailer {
  return createSmtpMailer({ url, from: 'Flightline <no-reply@flightline.example>', ...options })
}

beforeEach(async () => {
  catcher = await startMailCatcher({ smtpPort: 0, webPort: 0, host: '127.0.0.1' })
  mailer = mailerFor(catcher.smtpUrl)
})

afterEach(async () => {
  await mailer.close()
  await catcher.close()
})

async function failure(sending: Promise<void>): Promise<MailRefused | MailUnavailable> {
  const error = await sending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof MailRefused || error instanceof MailUnavailable) return error
  throw new Error(`Expected the mail to fail, got ${error}`)
}

describe('a mail', () => {
  test.each([
    ['r&d@skyway.example', 'r&d@skyway.example'],
    ['пётр@xn--80a1acny.xn--p1ai', 'пётр@почта.рф'],
  ])('arrives at %s', async (address, shown) => {
    await mailer.send(to(address))
    expect(catcher.inbox.all()).toMatchObject([{ to: [{ address: shown }] }])
  })

  test('arrives with its text and its HTML, from us, to its one recipient', async () => {
    await mailer.send(MAIL)
    expect(catcher.inbox.all()).toMatchObject([
      {
        subject: 'Your flight on Monday',
        from: { name: 'Flightline', address: 'no-reply@flightline.example' },
        to: [{ name: 'Ana Ruiz', address: 'ana@skyway.example' }],
        text: 'N172SP at 10:00.\n',
        html: '<p>N172SP at <b>10:00</b>.</p>',
        messageId: 'outbox-41@flightline.example',
      },
    ])
  })

  test('carries the same Message-ID each time it is sent', async () => {
    await mailer.send(MAIL)
    await mailer.send({ ...MAIL, messageId: '<outbox-41@flightline.example>' })
    expect(catcher.inbox.all().map(({ messageId }) => messageId)).toEqual([MAIL.messageId, MAIL.messageId])
  })

  test('keeps names and subjects of every script, and lines longer than the protocol allows', async () => {
    const text = `${'Überprüfung 飛行 '.repeat(200)}\n.\nafter the dot\n`
    await mailer.send({ ...MAIL, to: { ...MAIL.to, name: 'Zoë "Z" Ødegård, CFI' }, subject: '飛行 ✈️ & more', text })
    const [mail] = catcher.inbox.all()
    expect(mail).toMatchObject({ subject: '飛行 ✈️ & more', text })
    expect(mail?.to).toEqual([{ name: 'Zoë "Z" Ødegård, CFI', address: 'ana@skyway.example' }])
  })

  test('cannot be given another header or recipient through its values', async () => {
    await mailer.send({
      ...MAIL,
      to: { name: 'Ana\r\nBcc: eve@elsewhere.example', address: 'ana@skyway.example' },
      subject: 'Hello\r\nTo: eve@elsewhere.example\r\n\r\nbody',
      messageId: 'outbox-41@flightline.example>\r\nCc: <eve@elsewhere.example',
      headers: { 'X-Kind': 'reminder\r\nReply-To: eve@elsewhere.example' },
    })
    const mails = catcher.inbox.all()
    expect(mails).toMatchObject([
      { subject: 'Hello To: eve@elsewhere.example body', to: [{ address: 'ana@skyway.example' }], text: MAIL.text },
    ])
  })

  test('is never read from a file or an address on the network', async () => {
    const paths = { path: '/etc/hostname', href: 'http://127.0.0.1:9/' } as unknown as string
    await expect(mailer.send({ ...MAIL, text: paths })).rejects.toBeInstanceOf(MailUnavailable)
    expect(catcher.inbox.all()).toEqual([])
  })

  test('goes out among many over the pool, each once', async () => {
    const ids = Array.from({ length: 120 }, (_, index) => `outbox-${index}@flightline.example`)
    await Promise.all(ids.map((messageId) => mailer.send({ ...MAIL, messageId })))
    expect(
      catcher.inbox
        .all()
        .map(({ messageId }) => messageId)
        .sort(),
    ).toEqual(ids.sort())
  })
})

describe('a mail that the server refuses for good', () => {
  test('is MailRefused, and the next one goes out', async () => {
    catcher.faults.add({ recipient: '*@gone.example', kind: 'refuse', times: 1 })
    const error = await failure(mailer.send(to('ana@gone.example')))
    expect(error).toBeInstanceOf(MailRefused)
    expect(error.reason).toBe('550')
    await mailer.send(MAIL)
    expect(catcher.inbox.all()).toHaveLength(1)
  })

  test.each(['', 'ana', 'ana@a.example, eve@b.example', '<ana@a.example>', 'ana@a.example\r\nDATA', 'a b@c.example'])(
    'is one to the address %j, which is never sent to the server',
    async (address) => {
      expect(await failure(mailer.send(to(address)))).toBeInstanceOf(MailRefused)
    },
  )
})

describe('a mail that cannot be handed over now', () => {
  test('is MailUnavailable when the server defers it, and goes out on a later try', async () => {
    catcher.faults.add({ recipient: 'ana@skyway.example', kind: 'defer', times: 1 })
    const error = await failure(mailer.send(MAIL))
    expect(error).toBeInstanceOf(MailUnavailable)
    expect(error.reason).toBe('451')
    await mailer.send(MAIL)
    expect(catcher.inbox.all()).toHaveLength(1)
  })

  test('is MailUnavailable when the server stops answering, by the stated time-out', async () => {
    catcher.faults.add({ recipient: 'ana@skyway.example', kind: 'hang', times: 1 })
    const hasty = mailerFor(catcher.smtpUrl, { timeouts: { socket: 300 } })
    const error = await failure(hasty.send(MAIL))
    expect([error.name, error.reason]).toEqual(['MailUnavailable', 'ETIMEDOUT'])
    catcher.faults.clear()
    await mailer.send(MAIL)
    await hasty.close()
    expect(catcher.inbox.all()).toHaveLength(1)
  })

  test('goes out without a restart once the server is back', async () => {
    await mailer.send(MAIL)
    await catcher.close()
    const error = await failure(mailer.send(MAIL))
    expect(error).toBeInstanceOf(MailUnavailable)
    catcher = await startMailCatcher({ smtpPort: catcher.smtpPort, webPort: 0, host: '127.0.0.1' })
    await mailer.send(MAIL)
    expect(catcher.inbox.all()).toHaveLength(1)
  })
})

describe('the address of the server', () => {
  test.each(['http://mail.example', 'smtp://mail.example?logger=true', 'mail.example'])('%s is refused', (url) => {
    expect(() => mailerFor(url)).toThrow()
  })
})

describe('closing the mailer', () => {
  test('waits for the mails in hand, and takes no further one', async () => {
    const sending = ['outbox-1', 'outbox-2', 'outbox-3'].map((id) =>
      mailer.send({ ...MAIL, messageId: `${id}@b.example` }),
    )
    await mailer.close()
    expect(catcher.inbox.all()).toHaveLength(3)
    await Promise.all(sending)
    expect(await failure(mailer.send(MAIL))).toBeInstanceOf(MailUnavailable)
  })
})
