import { describe, expect } from 'vitest'
import { startTestApp } from '../../../support/app.ts'
import { buildSchool, type Member, type School } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { limited } from '../../../support/limited.ts'
import { buildBooking, buildGuest, buildInvoice } from '../../../support/records.ts'
import { buildTraining } from '../../../support/training.ts'

interface Hit {
  kind: string
  id: number
  title: string
  subtitle: string | null
  score: number
}

const test = sharedSchoolTest()
  .extend('neighbour', { scope: 'file', auto: true }, ({ api }) => buildSchool(api))
  .extend('furnish', { scope: 'file' }, ({ api }) => async (one: School) => {
    const { pool } = api.core.database
    await pool.query("update account set name = 'Mariana Ruiz' where id = $1", [one.student.accountId])
    await pool.query("update resource set name = 'N734FL', make = 'Cessna', model = '172S Skyhawk' where id = $1", [
      one.plane.id,
    ])
    await pool.query("update membership set grounded = true, grounded_reason = 'Zebra stripes' where id = $1", [
      one.renter.orgUserId,
    ])
  })
  .extend('find', ({ api }) => async (who: Member, q: string, kinds?: string): Promise<Hit[]> => {
    const query = new URLSearchParams({ q, ...(kinds && { kind: kinds }) })
    const response = await api.call('GET', `/search?${query}`, { token: who.token })
    expect(response.statusCode, response.body).toBe(200)
    return response.json().data
  })

const ids = { booking: 0, cancelled: 0, guestBooking: 0, invoice: 0, guestInvoice: 0, course: 0 }

test.beforeAll(async ({ api, school, neighbour, furnish }) => {
  for (const one of [school, neighbour]) await furnish(one)
  const guestId = await buildGuest(api, school, 'gia.lombard@example.com')
  const seats = [{ side: 'students' as const, member: school.student }]
  ids.booking = await buildBooking(api, school, { seats })
  ids.cancelled = await buildBooking(api, school, { seats, fromHour: 48, cancelled: true })
  ids.guestBooking = await buildBooking(api, school, { seats: [{ side: 'guests', guestId }], fromHour: 72 })
  ids.invoice = await buildInvoice(api, school, { payer: school.student })
  ids.guestInvoice = await buildInvoice(api, school, { payer: { guestId }, number: 32 })
  await buildBooking(api, neighbour, { seats: [{ side: 'students', member: neighbour.student }] })
  await buildInvoice(api, neighbour, { payer: neighbour.student })
  ids.course = (await buildTraining(api, school)).courseId
  const { pool } = api.core.database
  await pool.query("update reservation set notes = 'Zebra crossing' where id = $1", [ids.booking])
  await pool.query("update invoice set memo = 'Zebra deposit', number = 1042 where id = $1", [ids.invoice])
})

const idsOf = (hits: Hit[], kind: string) => hits.filter((hit) => hit.kind === kind).map((hit) => hit.id)

describe('a search (§Search)', () => {
  test('finds members, bookings and invoices by a name, best first, and nothing of another organization', async ({
    school,
    find,
  }) => {
    const hits = await find(school.admin, 'mariana ruiz')
    expect(hits[0]).toEqual({
      kind: 'member',
      id: school.student.orgUserId,
      title: 'Mariana Ruiz',
      subtitle: 'student',
      score: 1,
    })
    expect(idsOf(hits, 'member')).toEqual([school.student.orgUserId])
    expect(idsOf(hits, 'booking')).toEqual([ids.booking])
    expect(idsOf(hits, 'invoice')).toEqual([ids.invoice])
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a))
  })

  test.for<[string, string]>([
    ['Marianna', 'member'],
    ['marina ruis', 'member'],
    ['skyhwak', 'resource'],
    ['N743FL', 'resource'],
    ['cesna', 'resource'],
    ['frist solo', 'booking'],
    ['privte pilto', 'course'],
  ])('forgives the typo in %j and finds the %s', async ([q, kind], { school, find }) => {
    const found = {
      member: school.student.orgUserId,
      resource: school.plane.id,
      booking: ids.booking,
      course: ids.course,
    }
    expect(idsOf(await find(school.admin, q), kind)).toContain(found[kind as keyof typeof found])
  })

  test('of two characters matches names from their start only', async ({ school, find }) => {
    expect(idsOf(await find(school.admin, 'ma'), 'member')).toEqual([school.student.orgUserId])
    expect(idsOf(await find(school.admin, 'ru'), 'member')).toEqual([])
  })

  test('finds an invoice by its number, and bookings of an aircraft that are not cancelled', async ({
    school,
    find,
  }) => {
    expect((await find(school.admin, '1042')).filter(({ kind }) => kind === 'invoice')).toEqual([
      {
        kind: 'invoice',
        id: ids.invoice,
        title: 'Invoice 1042',
        subtitle: expect.stringContaining('Mariana Ruiz'),
        score: 1,
      },
    ])
    expect(idsOf(await find(school.student, 'N734FL'), 'booking')).toEqual([ids.guestBooking, ids.booking])
  })

  test('looks at no notes, memos, reasons and addresses, not for admins either', async ({ school, find }) => {
    for (const q of ['zebra', 'lombard', 'gia.lombard@example.com']) {
      expect(await find(school.admin, q), q).toEqual([])
    }
  })

  test('answers only the kinds that are asked for', async ({ api, school, find }) => {
    const hits = await find(school.admin, 'mariana', 'invoice,member')
    expect(new Set(hits.map(({ kind }) => kind))).toEqual(new Set(['invoice', 'member']))
    const wrong = await api.call('GET', '/search?q=ana&kind=guest', { token: school.admin.token })
    expect(wrong.statusCode).toBe(400)
  })

  test('of fewer than two characters is refused; one that matches nothing or has no letters finds nothing', async ({
    api,
    school,
    find,
  }) => {
    expect((await api.call('GET', '/search?q=%20a', { token: school.admin.token })).statusCode).toBe(400)
    for (const q of ['%%', '__', "';--", 'qqqqqqq', `${'x'.repeat(99)} mariana`]) {
      expect(await find(school.admin, q), q).toEqual([])
    }
  })

  test('follows a changed name, and leaves out who is no member any more', async ({ api, school, find }) => {
    const { pool } = api.core.database
    await pool.query("update account set name = 'Otto Lilienthal' where id = $1", [school.technician.accountId])
    expect(idsOf(await find(school.student, 'lilientahl'), 'member')).toEqual([school.technician.orgUserId])
    await pool.query('update membership set removed_at = now() where id = $1', [school.technician.orgUserId])
    expect(idsOf(await find(school.student, 'lilienthal'), 'member')).toEqual([])
  })
})

test('an account searches 60 times a minute: a twentieth of the limits allows 3', async ({ api, school }) => {
  const { DATABASE_URL: databaseUrl = '' } = api.config
  const strict = await startTestApp({ databaseUrl, env: { RATE_LIMIT_FACTOR: '0.05' } })
  const { tokens } = strict.core
  const { accountId, organizationId, orgUserId: membershipId } = school.dispatcher
  const { token } = await tokens.issue({ accountId, organizationId, membershipId }, strict.core.clock())
  const once = () => strict.call('GET', '/search?q=nobody', { token })
  for (let n = 0; n < 3; n++) expect((await once()).statusCode).toBe(200)
  limited(await once())
  await strict.close()
})
