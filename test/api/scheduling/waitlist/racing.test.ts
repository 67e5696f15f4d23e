import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, type Member, type School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import { cancel, enter, expireSoFar, type OfferRow, offerSoFar, offersOf } from '../../../support/waitlist.ts'

const test = schoolTest()

const ROUNDS = 64
/** How often each of two ends of an offer is tried at once. */
const EACH = 4
const TEN = { start: '2026-11-23T10:00:00Z', end: '2026-11-23T12:00:00Z' }

/** Frees the plane at ten on Monday for the student, who waits. Returns the offer, another student, and their booking, which is cancelled. */
async function offered(api: TestApp, school: School): Promise<{ offer: OfferRow; other: Member; freedId: number }> {
  const other = await buildMember(api, school.organizationId, ['student'])
  const id = await bookDual(api, school, { students: [other] })
  await enter(api, school.dispatcher, { windows: [TEN], orgUserId: school.student.orgUserId })
  await cancel(api, school, id)
  await offerSoFar(api, school)
  const [offer] = await offersOf(api, school.student)
  return { offer: offer!, other, freedId: id }
}

type Offered = Awaited<ReturnType<typeof offered>>

/** What ends an offer. */
const ends: Record<string, (api: TestApp, school: School, of: Offered) => Promise<unknown>> = {
  accept: (api, { student }, { offer }) => settled(() => api.as(student).post(`/offers/${offer.id}/accept`)),
  decline: (api, { student }, { offer }) => settled(() => api.as(student).post(`/offers/${offer.id}/decline`)),
  expire: (api, school, { offer }) => expireSoFar(api, school, offer.id),
  withdraw: (api, { student }, { offer }) =>
    settled(() => api.as(student).delete(`/waitlist/${offer.waitlistEntryId}`)),
  book: (api, school, { other }) =>
    settled(() => api.as(school.dispatcher).post('/reservations', dualBody(school, { students: [other] }))),
  restore: (api, { dispatcher }, { freedId }) =>
    settled(() => api.as(dispatcher).post(`/reservations/${freedId}/restore`)),
}
const pairs = Object.keys(ends).flatMap((one, at) =>
  Object.keys(ends)
    .slice(at + 1)
    .map((other) => [one, other] as const),
)

/** Returns the ids of the live bookings of the plane. */
async function booked(api: TestApp, { plane }: School): Promise<number[]> {
  const { db } = api.core.database
  const rows = await db
    .selectFrom('reservation')
    .select('id')
    .where('resource_id', '=', plane.id)
    .where('live', '=', true)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the status of an answer, and of a service that is busy that of the next try. */
async function settled(send: () => Promise<{ statusCode: number }>): Promise<number> {
  for (;;) {
    const { statusCode } = await send()
    if (statusCode !== 503 && statusCode !== 429) return statusCode
  }
}

describe('one place', () => {
  test('has one booking when 64 who accept and 64 at the desk race over it', async ({ api, school }) => {
    const { offer, other } = await offered(api, school)
    const accept = () => settled(() => api.as(school.student).post(`/offers/${offer.id}/accept`))
    const body = dualBody(school, { students: [other] })
    const book = () => settled(() => api.as(school.dispatcher).post('/reservations', body))
    const all = await Promise.all(Array.from({ length: ROUNDS }, () => [accept(), book()]).flat())
    const accepted = all.filter((_, index) => index % 2 === 0)
    const bookedAtDesk = all.filter((_, index) => index % 2 === 1)
    expect(await booked(api, school)).toHaveLength(1)
    const [row] = await offersOf(api, school.student)
    const isAccepted = row?.status === 'accepted'
    expect(['accepted', 'withdrawn']).toContain(row?.status)
    // The one that wins can be answered 503 after its commit; its next try learns of the booking.
    const made = [...accepted, ...bookedAtDesk].filter((status) => status === 201)
    expect(made.length).toBeLessThanOrEqual(1)
    expect(bookedAtDesk.filter((status) => status !== 400)).toEqual(isAccepted ? [] : made)
    expect(accepted.filter((status) => status !== (isAccepted ? 200 : 409))).toEqual(isAccepted ? made : [])
  })

  test('has one end when it is accepted, declined, booked over and late at once', async ({ api, school }) => {
    for (let round = 0; round < 4; round++) {
      const { offer, other } = await offered(api, school)
      api.clock.now = new Date(Date.parse(offer.expiresAt) - (round % 2))
      const body = dualBody(school, { students: [other] })
      await Promise.all([
        settled(() => api.as(school.student).post(`/offers/${offer.id}/accept`)),
        settled(() => api.as(school.student).post(`/offers/${offer.id}/decline`)),
        settled(() => api.as(school.dispatcher).post('/reservations', body)),
        expireSoFar(api, school, offer.id),
      ])
      const ids = await booked(api, school)
      const [row] = await offersOf(api, school.student)
      // Whoever does not get the place by the offer can still get it at the desk.
      expect(ids).toHaveLength(1)
      if (row?.status === 'accepted') expect(ids).toEqual([row.reservation?.id])
      const { rows } = await api.core.database.pool.query(
        `select kind from event where subject_kind = 'offer' and subject_id = $1 and kind <> 'offer.made'`,
        [offer.id],
      )
      expect(rows).toEqual([{ kind: `offer.${row?.status}` }])
      await api.core.database.pool.query(
        `update reservation set live = false, cancelled_at = now() where resource_id = $1 and live`,
        [school.plane.id],
      )
      await api.core.database.pool.query(`delete from waitlist_entry where organization_id = $1`, [
        school.organizationId,
      ])
    }
  })

  test.for(pairs)(
    'has one end, and one booking at most, with %s and %s at once',
    async ([one, another], { api, school }) => {
      const of = await offered(api, school)
      api.clock.now = new Date(Date.parse(of.offer.expiresAt) - (one === 'expire' || another === 'expire' ? 0 : 1))
      const acts = Array.from({ length: EACH }, () => [one, another]).flat()
      await Promise.all(acts.map((act) => ends[act]!(api, school, of)))
      const { rows } = await api.core.database.pool.query<{ kind: string }>(
        `select kind from event where subject_kind = 'offer' and subject_id = $1 and kind <> 'offer.made'`,
        [of.offer.id],
      )
      expect(rows).toHaveLength(1)
      const ids = await booked(api, school)
      expect(ids.length).toBeLessThanOrEqual(1)
      const { status, reservation } = await expectOk<OfferRow>(api, school.student, 'GET', `/offers/${of.offer.id}`)
      expect(rows).toEqual([{ kind: `offer.${status}` }])
      expect(reservation?.id ?? null).toBe(status === 'accepted' ? ids[0] : null)
    },
  )

  test('is offered to one of two runs of the job at once', async ({ api, school }) => {
    for (const who of await Promise.all([0, 1].map(() => buildMember(api, school.organizationId, ['student'])))) {
      await enter(api, school.dispatcher, { windows: [TEN], orgUserId: who.orgUserId })
    }
    const made = await Promise.all([offerSoFar(api, school), offerSoFar(api, school)])
    expect(made[0]! + made[1]!).toBe(1)
    expect(await offersOf(api, school.dispatcher, '?status=open')).toHaveLength(1)
  })
})
