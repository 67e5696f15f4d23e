import { until } from './client.ts'

interface Mail {
  subject: string
  to: { address: string }[]
  text: string
}

/** Waits for a mail to an address and returns the token in the newest one's link. */
export async function tokenFromMail(inboxUrl: string, address: string): Promise<{ token: string; subject: string }> {
  return until(`a mail to ${address}`, async () => {
    const mails = (await (await fetch(`${inboxUrl}/email`)).json()) as Mail[]
    const mail = mails.findLast(({ to }) => to.some((recipient) => recipient.address === address))
    const token = mail && /#token=([\w.-]+)/.exec(mail.text)?.[1]
    return mail && token ? { token, subject: mail.subject } : undefined
  })
}
