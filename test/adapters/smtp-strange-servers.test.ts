import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Mail, MailRefused, MailUnavailable } from '../../src/shared/platform/adapters/mail/mailer.port.ts'
import { createSmtpMailer, type SmtpOptions } from '../../src/shared/platform/adapters/mail/smtp.ts'

const MAIL: Mail = {
  to: { name: 'Ana Ruiz', address: 'ana@skyway.example' },
  subject: 'Your flight on Monday',
  text: 'N172SP at 10:00.',
  html: '<p>N172SP at 10:00.</p>',
  messageId: 'outbox-41@flightline.example',
}

describe('a server that misbehaves', () => {
  let server: Server
  let url: string

  async function serve(answer: (line: string) => string | null, greeting: string | null): Promise<void> {
    server = createServer((socket) => {
      socket.on('error', () => {})
      if (greeting !== null) socket.write(greeting)
      socket.on('data', (data) => {
        for (const line of data.toString().split('\r\n').filter(Boolean)) {
          const reply = answer(line)
          if (reply !== null) socket.write(reply)
        }
      })
      socket.on('end', () => socket.end())
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `smtp://127.0.0.1:${(server.address() as { port: number }).port}`
  }

  afterEach(() => {
    server.close()
  })

  async function outcome(options: Partial<SmtpOptions>, signal?: AbortSignal): Promise<MailRefused | MailUnavailable> {
    const mailer = createSmtpMailer({ url, from: 'no-reply@flightline.example', ...options })
    try {
      await mailer.send(MAIL, signal)
    } catch (error) {
      if (error instanceof MailRefused || error instanceof MailUnavailable) return error
      throw error
    } finally {
      await mailer.close()
    }
    throw new Error('The mail was taken.')
  }

  test('that never greets is given up by the stated time-out', async () => {
    await serve(() => null, null)
    const error = await outcome({ timeouts: { greeting: 200 } })
    expect([error.name, error.reason]).toEqual(['MailUnavailable', 'ETIMEDOUT'])
  })

  test('that answers drop by drop is given up when the caller says so', async () => {
    await serve(() => null, '220-wait\r\n')
    server.on('connection', (socket) => {
      const drip = setInterval(() => socket.write('220-wait\r\n'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    const error = await outcome({}, AbortSignal.timeout(300))
    expect([error.name, error.reason]).toEqual(['MailUnavailable', 'EABORT'])
  })

  test.each([
    ['our sender address', (line: string) => (line.startsWith('MAIL') ? '553 5.1.8 who is that\r\n' : '250 ok\r\n')],
    [
      'our lack of a sign-in',
      (line: string) => (/^(MAIL|RCPT|DATA)/.test(line) ? '530 5.7.0 sign in\r\n' : '250 ok\r\n'),
    ],
  ])('that refuses %s does not condemn the mail', async (_what, answer) => {
    await serve(answer, '220 ready\r\n')
    expect((await outcome({})).name).toBe('MailUnavailable')
  })

  test('that repeats the address in its answer does not bring it into our error', async () => {
    const talk = (line: string) => (line.startsWith('RCPT') ? `550 5.1.1 ${line} ${MAIL.subject}\r\n` : '250 ok\r\n')
    await serve(talk, '220 ready\r\n')
    const error = await outcome({})
    expect([error.name, error.reason, error.message]).toEqual([
      'MailRefused',
      '550 5.1.1',
      'The mail was refused for good (550 5.1.1).',
    ])
    expect(error.cause).toBeUndefined()
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/ana@|Monday/)
  })

  test('that cannot encrypt is never told our credentials', async () => {
    const heard: string[] = []
    await serve((line) => {
      heard.push(line)
      return line.startsWith('EHLO') ? '250-mail\r\n250 AUTH PLAIN LOGIN\r\n' : '250 ok\r\n'
    }, '220 ready\r\n')
    url = url.replace('smtp://', 'smtp://school:s3cret@')
    expect((await outcome({})).name).toBe('MailUnavailable')
    expect(heard.filter((line) => line.startsWith('AUTH'))).toEqual([])
  })
})
