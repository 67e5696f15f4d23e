import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerError } from 'smtp-server'
import { nameTakenPort } from '../servers/ports.ts'
import type { Faults } from './faults.ts'
import type { Correspondent, Inbox } from './inbox.ts'

const LARGEST_MAIL_BYTES = 25 * 1024 * 1024

/**
 * Listens for SMTP, without sign-in or encryption, and stores each mail in the inbox.
 * @throws PortTaken naming MAIL_SMTP_PORT.
 */
export async function listenForMail(listen: { port: number; host: string }, inbox: Inbox, faults: Faults) {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: LARGEST_MAIL_BYTES,
    rejectOversized: true,
    closeTimeout: 100,
    logger: false,

    onRcptTo({ address }, _session, answer) {
      const fault = faults.meet(address)
      if (fault === 'refuse') return answer(reply(550, 'no such mailbox'))
      if (fault === 'defer') return answer(reply(451, 'try again later'))
      if (fault !== 'hang') answer()
    },

    onData(stream, session, answer) {
      simpleParser(stream, { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true })
        .then((mail) => {
          const recipients = session.envelope.rcptTo.map(({ address }) => ({ address, name: '' }))
          if (!stream.sizeExceeded) inbox.add(caught(mail, recipients))
          answer()
        })
        .catch(() => answer(reply(554, 'this is not a mail')))
    },
  })

  // A client that disconnects early causes an error of the server. Other clients are not affected.
  server.on('error', () => {})
  server.listen(listen.port, listen.host)
  try {
    await once(server.server, 'listening')
  } catch (error) {
    throw nameTakenPort(error, listen.port, 'MAIL_SMTP_PORT')
  }

  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((closed) => server.close(closed)),
  }
}

function reply(responseCode: number, message: string): SMTPServerError {
  return Object.assign(new Error(message), { responseCode })
}

function caught(mail: ParsedMail, recipients: Correspondent[]) {
  const to = correspondents(mail.to)
  return {
    messageId: (mail.messageId ?? '').replace(/^<|>$/g, ''),
    subject: mail.subject ?? '',
    from: correspondents(mail.from)[0] ?? { address: '', name: '' },
    to: to.length > 0 ? to : recipients,
    text: mail.text ?? '',
    html: mail.html || '',
    replyTo: correspondents(mail.replyTo)[0] ?? null,
    unsubscribe: header(mail, 'list-unsubscribe'),
    calendars: mail.attachments.flatMap(({ contentType, content }) =>
      contentType === 'text/calendar' ? [content.toString()] : [],
    ),
    date: mail.date ?? new Date(),
  }
}

/** Returns the value of a header, unfolded but not decoded; null when the mail does not have it. */
function header(mail: ParsedMail, name: string): string | null {
  const line = mail.headerLines.find(({ key }) => key === name)?.line
  return line === undefined
    ? null
    : line
        .slice(line.indexOf(':') + 1)
        .replace(/\r?\n\s+/g, ' ')
        .trim()
}

function correspondents(header: AddressObject | AddressObject[] | undefined): Correspondent[] {
  return [header ?? []].flat().flatMap(({ value }) => value.map(({ address = '', name }) => ({ address, name })))
}
