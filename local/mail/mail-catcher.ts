import { type Fault, Faults } from './faults.ts'
import { Inbox } from './inbox.ts'
import { listenForMail } from './smtp-side.ts'
import { serveInbox } from './web-side.ts'

export interface MailCatcherOptions {
  /** 0: a free port. */
  smtpPort: number
  /** 0: a free port. */
  webPort: number
  host: string
  /** The largest number of stored mails; the oldest are deleted first. */
  keep?: number
  faults?: Fault[]
}

export interface MailCatcher {
  smtpPort: number
  webPort: number
  /** The URL for the mailer: `smtp://127.0.0.1:1025`. */
  smtpUrl: string
  /** The inbox page, and the base of its REST interface. */
  webUrl: string
  inbox: Inbox
  faults: Faults
  close(): Promise<void>
}

/**
 * Starts a mail server that stores every mail and delivers none, with a page to read them.
 * @throws PortTaken naming the port and MAIL_SMTP_PORT or MAIL_WEB_PORT.
 */
export async function startMailCatcher(options: MailCatcherOptions): Promise<MailCatcher> {
  const { smtpPort, webPort, host, keep = 500 } = options
  const inbox = new Inbox(keep)
  const faults = new Faults()
  for (const fault of options.faults ?? []) faults.add(fault)

  const smtp = await listenForMail({ port: smtpPort, host }, inbox, faults)
  try {
    const web = await serveInbox({ port: webPort, host }, inbox, faults)
    return {
      smtpPort: smtp.port,
      webPort: web.port,
      smtpUrl: `smtp://${reachable(host)}:${smtp.port}`,
      webUrl: `http://${reachable(host)}:${web.port}`,
      inbox,
      faults,
      close: async () => {
        await Promise.all([smtp.close(), web.close()])
      },
    }
  } catch (error) {
    await smtp.close()
    throw error
  }
}

function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
