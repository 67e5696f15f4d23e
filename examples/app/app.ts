/** From nothing to a paid flight: docs/guides/an-app-from-nothing.md explains each step. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'

const api = process.env.FLIGHTLINE_URL ?? 'http://localhost:3000'
const { INBOX_URL: inbox = 'http://localhost:1080', HOOK_PORT: port = '4000' } = process.env
const password = 'correct-horse-battery-28'
const address = { city: 'Livermore', state: 'CA', country: 'US' }

type Session = { token: string; user: { orgUserId: number } }
type Founded = Session & { organization: { locations: { id: number }[] } }
type Booking = { id: number; status: string; updatedAt: string }
type Event = { id: string; type: string; data: Booking }
type Invoice = { id: number; totalCents: number; payUrl: string | null }

/** A request that the service refused. `code` says what a program can do about it. */
class Refused extends Error {
  status = 0
  code?: string
  details?: { problems?: { fix?: { start?: string } }[] }
}

/** Sends a request until it is answered. The key makes a repeated POST harmless. */
async function send(method: string, path: string, token?: string, body?: unknown): Promise<Response> {
  const headers = new Headers({ 'idempotency-key': randomUUID() })
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (body) headers.set('content-type', 'application/json')
  for (;;) {
    const response = await fetch(api + path, { method, headers, body: JSON.stringify(body) })
    const wait = response.headers.get('retry-after')
    if (response.ok) return response
    if (wait === null) throw Object.assign(new Refused(), await response.json(), { status: response.status })
    await pause(Number(wait) * 1_000)
  }
}

async function call<T>(method: string, path: string, token?: string, body?: unknown): Promise<T> {
  const text = await (await send(method, path, token, body)).text()
  return (text && JSON.parse(text).data) as T
}

/** Waits for the mail to an address and returns the token of its link. */
async function mailedToken(to: string): Promise<string> {
  for (;;) {
    const mails = (await (await fetch(`${inbox}/email`)).json()) as { to: { address: string }[]; text: string }[]
    const mail = mails.findLast((one) => one.to.some((recipient) => recipient.address === to))
    const token = /#token=([\w.-]+)/.exec(mail?.text ?? '')?.[1]
    if (token) return token
    await pause(100)
  }
}

// 1. Sign up, prove the address, found a school.
const suffix = Date.now()
const owner = { name: 'Ana Ruiz', email: `ana${suffix}@example.com` }
const account = await call<Session>('POST', '/users', undefined, { ...owner, password })
await call('POST', '/auth/verify-email', undefined, { token: await mailedToken(owner.email) })
const { token, user, organization } = await call<Founded>('POST', '/organizations', account.token, {
  name: 'Skyway Aero Club',
  organizationType: 'flying_club',
  details: { email: owner.email, phone: '+1 510 555 0177', address },
  location: { name: 'Livermore Municipal', airportIdentifier: 'KLVK', timeZoneName: 'America/Los_Angeles', address },
})
console.log(`member ${user.orgUserId} owns the school`)

// 2. Receive webhooks: verify the bytes, skip repeats, keep the newest state of each booking.
const bookings = new Map<number, Booking>()
const seen = new Map<string, string>()
const changes = ['created', 'changed', 'cancelled', 'ramped_out', 'ramped_in', 'signed_off']
const { secret } = await call<{ secret: string }>('POST', '/webhooks', token, {
  url: `http://127.0.0.1:${port}/`,
  events: [...changes.map((verb) => `reservation.${verb}`), 'invoice.paid'],
})
const receiver = createServer(async (request, response) => {
  try {
    const body = Buffer.concat(await request.toArray()).toString()
    const event = new Webhook(secret).verify(body, request.headers as Record<string, string>) as Event
    response.writeHead(204).end()
    if (seen.has(event.id)) return
    seen.set(event.id, event.type)
    if (event.type.startsWith('reservation.')) keep(event.data)
  } catch {
    response.writeHead(401).end()
  }
}).listen(Number(port), '127.0.0.1')
function keep(booking: Booking): void {
  if ((bookings.get(booking.id)?.updatedAt ?? '') <= booking.updatedAt) bookings.set(booking.id, booking)
}

// 3. Add an aircraft and a renter.
const meters = { hobbsTime: 5210.4, tachTime: 4820.1 }
const plane = await call<{ id: number }>('POST', '/resources', token, {
  name: 'N172FL',
  tailNumber: 'N172FL',
  location: { id: organization.locations[0]?.id },
  type: { plane: { engines: 1, category: 'airplane', class: 'single_engine_land', ...meters } },
  cost: { wetRate: 17_500, billByHobbsTime: true },
})
const rita = { name: 'Rita Vale', email: `rita${suffix}@example.com` }
await call('POST', '/organizations/invite', token, { ...rita, renter: true })
const invitationToken = await mailedToken(rita.email)
const renter = await call<Session>('POST', '/users', undefined, { ...rita, password, invitationToken })

// 4. Book. Somebody else may have taken the hour: take the next free one, which the answer names.
async function book(start: string): Promise<Booking> {
  try {
    const end = new Date(Date.parse(start) + 3_600_000).toISOString()
    const personnel = { renters: [{ orgUserId: renter.user.orgUserId }] }
    const plan = { title: 'Bay tour', type: 'rental', timeZoneName: 'America/Los_Angeles', resource: plane, personnel }
    return await call<Booking>('POST', '/reservations', renter.token, { ...plan, start, end })
  } catch (error) {
    const free = error instanceof Refused && error.details?.problems?.[0]?.fix?.start
    if (!free) throw error
    console.log(`${error.code}: free at ${free}`)
    return book(free)
  }
}
const soon = new Date(Math.ceil(Date.now() / 900_000) * 900_000).toISOString()
const flight = await book(soon)
await book(soon)

// 5. Mirror the list by cursor: each page names the next one.
let next: string | undefined = `/reservations?startDate=${soon}&endDate=2100-01-01T00:00:00Z&limit=1&cursor=`
while (next) {
  const response = await send('GET', next, token)
  for (const booking of ((await response.json()) as { data: Booking[] }).data) keep(booking)
  next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
}
console.log(`${bookings.size} bookings mirrored`)

// 6. Fly, sign, invoice, pay.
await call('POST', `/reservations/${flight.id}/rampOut`, renter.token, { hobbsTimeOut: 5210.4, tachTimeOut: 4820.1 })
await call('POST', `/reservations/${flight.id}/rampIn`, renter.token, { hobbsTimeIn: 5211.6, tachTimeIn: 4821.1 })
await call('POST', `/reservations/${flight.id}/confirmReview`, renter.token)
const [raised] = await call<Invoice[]>('POST', `/reservations/${flight.id}/invoices`, token)
const invoice = await call<Invoice>('GET', `/invoices/${raised?.id}`, renter.token)
console.log(`invoice of ${invoice.totalCents} cents`)
if (invoice.payUrl) await fetch(invoice.payUrl, { method: 'POST', redirect: 'manual' })

// 7. The webhooks tell that it is paid, and keep the mirror. Events of different records come in any order.
while (![...seen.values()].includes('invoice.paid') || bookings.get(flight.id)?.status !== 'invoiced') await pause(100)
console.log(`paid; the flight is ${bookings.get(flight.id)?.status}`)

// 8. Subscribe to the bookings from a calendar.
const { url } = await call<{ url: string }>('POST', '/calendar/token', renter.token)
const feed = await (await fetch(url)).text()
console.log(`${feed.match(/BEGIN:VEVENT/g)?.length ?? 0} bookings in the calendar`)
receiver.close()
