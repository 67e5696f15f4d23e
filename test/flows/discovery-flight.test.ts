import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { eventually } from '../support/eventually.ts'
import { expectOk } from '../support/flights.ts'
import { type Offered, offer, type Slot } from '../support/offerings.ts'

interface Request {
  id: number
  status: string
  reservation: { id: number } | null
  guest: { name: string; email: string } | null
}

interface Flight {
  status: string
  start: string
  collectionStyle: string
  personnel: { instructors: { orgUserId: number }[]; guests: { guestId: number; email: string }[] }
  resource: { id: number }
  invoices: { id: number; totalCents: number; paid: boolean; payUrl: string | null }[]
}

const gia = { name: 'Gia Visitor', email: 'gia@example.com', phone: '+1 510 555 0123' }

describe.each(testedBackends())('a discovery flight, queues in %s (§Booking requests)', (kind) => {
  let env: BillingEnv
  beforeAll(async () => {
    env = await startBilling(kind)
    await expectOk(env.api, env.school.owner, 'PATCH', '/organizations', { showInDirectory: true })
  })
  afterAll(() => env.close())

  /** The token of the newest mail to Gia that links to a page. */
  async function mailedTo(page: string): Promise<string> {
    const pattern = new RegExp(`/${page}#token=([\\w-]+)`)
    const look = async () => env.workers.mails(gia.email).flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])
    return (await eventually(look, (tokens) => tokens.length > 0)).at(-1) ?? ''
  }

  test('goes from a guest’s request to a paid and flown hour, and the guest becomes a student', async () => {
    const { api, school } = env
    const { admin, dispatcher, instructor } = school
    const tomorrow = new Date(Date.now() + 24 * 3_600_000)
    const window = {
      startDate: tomorrow.toISOString(),
      endDate: new Date(tomorrow.getTime() + 86_400_000).toISOString(),
    }
    await offer(api, school, { collectionStyle: 'prepaid_fixed', priceCents: 19_900 })

    // Gia looks at what the school offers and when, and asks for an hour on an aircraft, which is then hers for a while.
    const offers = await api.call('GET', `/public/organizations/${school.organizationId}/offerings`)
    const [discovery] = offers.json().data as Offered[]
    const openings = async () =>
      (await api.call('GET', `/public/offerings/${discovery!.id}/openings?${new URLSearchParams(window)}`)).json()
        .data as Slot[]
    const [slot] = await openings()
    const wished = { ...gia, start: slot!.start, resource: { id: slot!.resource.id } }
    const asked = await api.call('POST', `/public/offerings/${discovery!.id}/requests`, { body: wished })
    expect(asked.statusCode, asked.body).toBe(202)
    const { id } = asked.json().data
    expect((await openings())[0]?.start).not.toBe(slot!.start)
    const unconfirmed = await expectOk<Request>(api, dispatcher, 'GET', `/booking-requests/${id}`)
    expect(unconfirmed).toMatchObject({ status: 'awaiting_confirmation', guest: null })

    // She opens the link in her mail; the desk sees her request and approves it, and the package is charged.
    const confirmed = await api.call('POST', '/public/requests/confirm', {
      body: { token: await mailedTo('confirm-request') },
    })
    expect(confirmed.json()).toEqual({ data: { id, status: 'pending' } })
    expect(await expectOk<Request[]>(api, dispatcher, 'GET', '/booking-requests')).toEqual([
      expect.objectContaining({ id, status: 'pending', guest: expect.objectContaining({ email: gia.email }) }),
    ])
    const approved = await expectOk<Request>(api, dispatcher, 'POST', `/booking-requests/${id}/approve`, {})
    expect(approved.status).toBe('approved')
    const flightId = approved.reservation?.id ?? 0
    const flight = () => expectOk<Flight>(api, dispatcher, 'GET', `/reservations/${flightId}`)
    const booked = await flight()
    expect(booked).toMatchObject({
      start: slot!.start,
      resource: { id: school.plane.id },
      collectionStyle: 'prepaid_fixed',
      personnel: { instructors: [{ orgUserId: instructor.orgUserId }], guests: [{ email: gia.email }] },
      invoices: [{ totalCents: 19_900, paid: false }],
    })

    // She pays at the link that she was mailed.
    const payUrl = booked.invoices[0]?.payUrl ?? ''
    const letters = async () => env.workers.mails(gia.email).map(({ text }) => text)
    await eventually(letters, (texts) => texts.some((text) => text.includes(payUrl)))
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    await eventually(flight, ({ invoices }) => invoices[0]?.paid === true)

    // She flies, and her instructor closes the flight out. Nothing is billed after a package.
    await expectOk(api, instructor, 'POST', `/reservations/${flightId}/rampOut`, {
      hobbsTimeOut: 1000,
      tachTimeOut: 900,
    })
    await expectOk(api, instructor, 'POST', `/reservations/${flightId}/rampIn`, {
      hobbsTimeIn: 1001,
      tachTimeIn: 900.8,
    })
    await expectOk(api, instructor, 'POST', `/reservations/${flightId}/confirmReview`)
    expect((await flight()).status).toBe('invoiced')
    const again = await api.call('POST', `/reservations/${flightId}/invoices`, { token: admin.token })
    expect(again.statusCode).toBe(400)
    expect(await expectOk(api, school.owner, 'GET', '/invoices/summary')).toMatchObject({
      revenueCents: 19_900,
      paidCount: 1,
      outstandingCount: 0,
    })

    // The desk invites the guest, and she signs up.
    await expectOk(api, dispatcher, 'POST', `/booking-requests/${id}/convert`, { role: 'student' })
    const joined = await api.call('POST', '/users', {
      body: { ...gia, password: 'a purple hat at dusk', invitationToken: await mailedTo('invitation') },
    })
    expect(joined.statusCode, joined.body).toBe(201)
    expect(joined.json().data).toMatchObject({
      user: { name: gia.name, student: true, emailVerified: true },
      organization: { id: school.organizationId },
    })
    expect(await expectOk<Request[]>(api, dispatcher, 'GET', '/booking-requests')).toEqual([])
  })
})
