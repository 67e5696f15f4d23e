import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import type { ResourceTraits } from '../../../../src/shared/fleet/resources/resource.rules.ts'
import { book, refusedBooking } from '../../../support/booking.ts'
import type { Member } from '../../../support/builders.ts'
import { buildLoggedFlight } from '../../../support/currencies.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { dualBody, expectOk } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'

interface State {
  currencyId: number
  status: string
  validUntil: string | null
}

const test = schoolTest()
  .extend(
    'add',
    ({ api, school }) =>
      (kind: string, extra: object = {}) =>
        expectOk<{ id: number }>(api, school.admin, 'POST', '/currencies', { name: kind, kind, ...extra }),
  )
  .extend(
    'record',
    ({ api }) =>
      (who: Member, of: Member, { id }: { id: number }, body: object) =>
        api.as(who).put(`/orgUsers/${of.orgUserId}/currencies/${id}`, body),
  )

describe('a currency of a regulation (§Currencies)', () => {
  test('is read by the member and staff with its evidence and what restores it', async ({ api, school, add }) => {
    const pilot = school.renter
    const [night, instrument, passengers] = [
      await add('passenger_night'),
      await add('instrument'),
      await add('passenger_day'),
    ]
    expect(await expectOk<State[]>(api, pilot, 'GET', '/currencies/me')).toMatchObject([
      { scope: null, status: 'missing', validUntil: null, needs: [{ action: 'night_landings', count: 3, by: null }] },
      { scope: null, status: 'missing', needs: [{ action: 'approaches', count: 6 }, { action: 'holding' }] },
      { scope: null, status: 'missing', needs: [{ action: 'landings', count: 3 }] },
    ])
    const landed = { day_takeoffs: 3, day_landings: 3 }
    // The tests' time is 21 November: twenty days before it is 1 November, and ninety days after that 30 January.
    const id = await buildLoggedFlight(api, school, { pilot, daysAgo: 20, approaches: 6, holds: 1, ...landed })
    const scope = { category: 'airplane', class: 'single_engine_land', type: null, tailwheel: false }
    expect(await expectOk(api, school.instructor, 'GET', `/orgUsers/${pilot.orgUserId}/currencies`)).toMatchObject([
      { currencyId: night.id, scope, status: 'missing' },
      {
        currencyId: instrument.id,
        scope: { ...scope, class: null },
        status: 'current',
        validUntil: '2027-05-31',
        graceUntil: '2027-11-30',
        evidence: [{ kind: 'flight', id, counted: 6 }],
        needs: [],
        expiresAt: '2027-06-01T00:00:00.000Z',
      },
      {
        currencyId: passengers.id,
        scope,
        status: 'current',
        validUntil: '2027-01-30',
        graceUntil: null,
        evidence: [{ kind: 'flight', id, at: '2026-11-01T12:00:00.000Z', counted: 3 }],
        needs: [],
      },
    ])
  })

  test('landings in an R-22 do not count for passengers in an R-44 (SFAR 73, section 2(d))', async ({
    api,
    school,
    add,
  }) => {
    await add('passenger_day')
    const landed = { day_takeoffs: 3, day_landings: 3 }
    await buildLoggedFlight(api, school, { pilot: school.renter, daysAgo: 20, ...landed })
    const scopeOf = async (model: string) => {
      const traits = sql<ResourceTraits>`traits || '{"category": "helicopter"}'`
      await api.core.database.db
        .updateTable('resource')
        .set({ model, traits })
        .where('id', '=', school.plane.id)
        .execute()
      return expectOk<{ scope: object }[]>(api, school.renter, 'GET', '/currencies/me')
    }
    expect(await scopeOf('R22 Beta II')).toMatchObject([{ scope: { type: 'R-22' } }])
    expect(await scopeOf('R-44 Raven')).toMatchObject([{ scope: { type: 'R-44' } }])
    expect(await scopeOf('407')).toMatchObject([{ scope: { type: null } }])
  })

  test('a medical ends by the age that staff verified, and the member’s own word counts for nothing', async ({
    api,
    school,
    add,
    record,
  }) => {
    const { student, admin, instructor } = school
    const medical = await add('medical')
    const body = { class: 'third', examinedAt: '2025-03-14T12:00:00Z' }
    await expectOk(api, student, 'PATCH', `/orgUsers/${student.orgUserId}/profile`, { birthDate: '1986-05-02' })
    expect((await record(instructor, student, medical, body)).json().data).toMatchObject({
      class: 'third',
      examinedAt: '2025-03-14T12:00:00.000Z',
      courseAt: null,
      status: 'current',
      validUntil: '2027-03-31',
      privileges: [
        { privilege: 'airline_transport', validUntil: null },
        { privilege: 'commercial', validUntil: null },
        { privilege: 'private', validUntil: '2027-03-31' },
      ],
    })
    await expectOk(api, admin, 'PATCH', `/orgUsers/${student.orgUserId}/profile`, { verify: ['birthDate'] })
    expect(await expectOk(api, student, 'GET', '/currencies/me')).toMatchObject([{ validUntil: '2030-03-31' }])
  })

  test('a review is renewed by an endorsement that an instructor signed for somebody else', async ({
    api,
    school,
    add,
  }) => {
    const { renter, instructor, admin } = school
    await add('flight_review')
    const endorse = (who: Member, of: Member, extra: object = {}) =>
      expectOk<{ id: number }>(api, who, 'POST', '/training/endorsements', {
        orgUserId: of.orgUserId,
        templateCode: 'A.69',
        renderedText: 'Flight review',
        signerCertificateNumber: '31CFI',
        ...extra,
      })
    await endorse(admin, renter, { signedBy: { name: instructor.name, certificateNumber: '31CFI' } })
    expect(await expectOk(api, renter, 'GET', '/currencies/me')).toMatchObject([{ status: 'missing' }])
    const { id } = await endorse(instructor, renter, { trainingAt: '2026-10-10T12:00:00Z' })
    expect(await expectOk(api, renter, 'GET', '/currencies/me')).toMatchObject([
      { status: 'current', validUntil: '2028-10-31', evidence: [{ kind: 'endorsement', id }] },
    ])
  })

  test('a review is renewed by a practical test, once it is passed (14 CFR 61.56(d))', async ({ api, school, add }) => {
    const { renter, instructor } = school
    await add('flight_review')
    const took = (result: string) =>
      expectOk<{ id: number }>(api, instructor, 'POST', '/training/tests', {
        orgUserId: renter.orgUserId,
        kind: 'practical',
        takenAt: '2026-10-10T12:00:00Z',
        result,
      })
    const { id } = await took('failed')
    expect(await expectOk(api, renter, 'GET', '/currencies/me')).toMatchObject([{ status: 'missing' }])
    await expectOk(api, instructor, 'PATCH', `/training/tests/${id}`, { result: 'passed' })
    expect(await expectOk(api, renter, 'GET', '/currencies/me')).toMatchObject([
      { status: 'current', validUntil: '2028-10-31', evidence: [{ kind: 'test', id }] },
    ])
  })

  test('an instructor’s certificate, renewed early, keeps its end as the base', async ({
    api,
    school,
    add,
    record,
  }) => {
    const { admin, instructor } = school
    const certificate = await add('instructor_certificate')
    const profile = { instructorCertificate: { validUntil: '2026-12-31' } }
    await expectOk(api, admin, 'PATCH', `/orgUsers/${instructor.orgUserId}/profile`, profile)
    const renewed = await record(admin, instructor, certificate, { completedAt: '2026-10-05T12:00:00Z' })
    expect(renewed.json().data).toMatchObject({ validUntil: '2028-12-31', status: 'current' })
  })

  test('recorded for oneself it says so, and a medical needs a document that others verified', async ({
    api,
    school,
    add,
    record,
  }) => {
    const { instructor, admin } = school
    const [medical, check] = [await add('medical'), await add('instrument')]
    const body = { class: 'second', examinedAt: '2026-11-10T12:00:00Z' }
    const refused = await record(instructor, instructor, medical, body)
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'documentId: your own medical or flight review needs a document that others verified',
    ])
    const own = await record(instructor, instructor, check, { completedAt: '2026-11-10T12:00:00Z' })
    expect(own.json().data).toMatchObject({ selfRecorded: true, validUntil: '2027-05-31' })
    expect((await record(admin, instructor, medical, body)).json().data).toMatchObject({ selfRecorded: false })
    expect(await expectOk<State[]>(api, instructor, 'GET', '/currencies/me')).toHaveLength(2)
  })
})

describe('at booking (§Currencies)', () => {
  test('a medical that ends before refuses it, in as many statements whoever is on it', async ({
    api,
    school,
    add,
    record,
  }) => {
    const medical = await add('medical', { enforcement: 'block', roles: ['student'] })
    const count = async () =>
      (await countStatements(api, () => refusedBooking(api, school.dispatcher, dualBody(school)))).statements.length
    const missing = await count()
    await record(school.admin, school.student, medical, { class: 'third', examinedAt: '2024-10-31T12:00:00Z' })
    for (let daysAgo = 10; daysAgo < 20; daysAgo++) {
      await buildLoggedFlight(api, school, { pilot: school.student, daysAgo, day_landings: 3 })
    }
    expect(await count()).toBe(missing)
    expect(await refusedBooking(api, school.dispatcher, dualBody(school))).toMatchObject([
      { code: 'NOT_CURRENT', message: `${school.student.name} is not current: medical (expired 2026-10-31)` },
    ])
    await record(school.admin, school.student, medical, { class: 'third', examinedAt: '2026-10-31T12:00:00Z' })
    expect((await book(api, school.dispatcher, dualBody(school))).statusCode).toBe(201)
  })
})
