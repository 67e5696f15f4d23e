import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

/** One mail that the server has taken over: to whom, and when it said so. */
export interface TakenMail {
  to: string
  at: number
}

export interface MailSink {
  url: string
  taken: TakenMail[]
  close(): Promise<void>
}

/** How long the server thinks before it takes a mail over, so that a fault meets calls. */
const THINKS_MS = 100

/**
 * A mail server that counts. A mail counts from the moment of the answer; one whose client is gone by then was never
 * answered, and does not count.
 */
export async function startMailSink(): Promise<MailSink> {
  const taken: TakenMail[] = []
  const gone = new Set<string>()
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onClose: ({ id }) => void gone.add(id),
    onData(stream, session, answer) {
      stream.resume()
      stream.on('end', async () => {
        await pause(THINKS_MS)
        if (gone.has(session.id)) return
        const at = performance.now()
        for (const { address } of session.envelope.rcptTo) taken.push({ to: address, at })
        answer()
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    taken,
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}
