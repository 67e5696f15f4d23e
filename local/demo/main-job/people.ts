import { type DemoReporter, until } from './client.ts'

/** A person of the demo, signed in to the school. */
export interface Person {
  name: string
  email: string
  orgUserId: number
  userId: number
  token: string
}

interface Envelope {
  user: { id: number; orgUserId: number | null; name: string; emailVerified: boolean }
  organization: { name: string; code?: string } | null
  token: string
}

export const PASSWORD = 'clear-prop-runway-28'

const owner = { name: 'Olivia Grant', email: 'olivia@bayflight.example' }

/** Signs the owner up, verifies the address with the mailed token and creates the school. Returns the owner. */
export async function foundSchool(reporter: DemoReporter, inboxUrl: string): Promise<Person> {
  const account = await reporter.call<Envelope>('POST', '/users', {
    step: 'The owner signs up',
    body: { ...owner, password: PASSWORD },
    expect: 201,
    summarize: ({ user }) => `${user.name}, address ${user.emailVerified ? 'verified' : 'not verified yet'}`,
  })
  const mail = await reporter.step({ step: 'A mail comes', method: 'GET', path: '/email (inbox)' }, async () => {
    const result = await tokenFromMail(inboxUrl, owner.email)
    return { result, status: 200, outcome: `“${result.subject}”` }
  })
  await reporter.call('POST', '/auth/verify-email', {
    step: 'The owner verifies the address',
    body: { token: mail.token },
    expect: 204,
    summarize: () => 'verified',
  })
  const address = { line1: '20301 Skywest Drive', city: 'Hayward', state: 'CA', postalCode: '94541', country: 'US' }
  const founded = await reporter.call<Envelope>('POST', '/organizations', {
    step: 'The owner founds the school',
    token: account.token,
    body: {
      name: 'Bay Flight Academy',
      organizationType: 'flight_school',
      details: { email: 'desk@bayflight.example', phone: '+1 510 555 0100', address },
      location: { name: 'Hayward Executive', airportIdentifier: 'KHWD', timeZoneName: 'America/Los_Angeles', address },
    },
    expect: 201,
    summarize: ({ organization }) => `${organization?.name}, join code ${organization?.code}`,
  })
  return person(owner, founded)
}

/** Invites a person as the owner, and joins as that person with a new account and the mailed token. Returns the person. */
export async function invite(
  reporter: DemoReporter,
  inboxUrl: string,
  from: Person,
  who: { name: string; email: string; role: string },
): Promise<Person> {
  const { role, ...contact } = who
  await reporter.call('POST', '/organizations/invite', {
    step: `The owner invites the ${role}`,
    token: from.token,
    body: { ...contact, [role]: true },
    expect: 204,
    summarize: () => `a mail to ${who.email}`,
  })
  const { token } = await tokenFromMail(inboxUrl, who.email)
  const joined = await reporter.call<Envelope>('POST', '/users', {
    step: `The ${role} accepts`,
    body: { ...contact, password: PASSWORD, invitationToken: token },
    expect: 201,
    summarize: ({ user, organization }) => `${user.name} is in ${organization?.name}`,
  })
  return person(contact, joined)
}

function person({ name, email }: { name: string; email: string }, { user, token }: Envelope): Person {
  if (user.orgUserId === null) throw new Error(`${name} is in no organization`)
  return { name, email, userId: user.id, orgUserId: user.orgUserId, token }
}

interface Mail {
  subject: string
  to: { address: string }[]
  text: string
}

/** Waits for a mail to this address. Returns the subject of the newest one and the token in its link. */
async function tokenFromMail(inboxUrl: string, address: string): Promise<{ token: string; subject: string }> {
  return until(`a mail to ${address}`, async () => {
    const mails = (await (await fetch(`${inboxUrl}/email`)).json()) as Mail[]
    const mail = mails.findLast(({ to }) => to.some((recipient) => recipient.address === address))
    const token = mail && /#token=([\w.-]+)/.exec(mail.text)?.[1]
    return mail && token ? { token, subject: mail.subject } : undefined
  })
}
