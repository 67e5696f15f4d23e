import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { queueNames } from '../../../src/shared/platform/contracts/define-job.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildMember, buildSchool, type Member, type School } from '../../support/builders.ts'
import { eventually } from '../../support/eventually.ts'
import { bookDual, dualBody, expectOk } from '../../support/flights.ts'
import { cancel, enter, type OfferRow, offersOf } from '../../support/waitlist.ts'
import { startTestWorkers, type TestWorkers } from '../../support/workers.ts'

let api: TestApp
let workers: TestWorkers
beforeAll(async () => {
  api = await startTestApp()
  workers = await startTestWorkers(api, { queues: queueNames })
})
afterAll(async () => {
  await workers.stop()
  await api.close()
})

const TEN = { start: '2026-11-23T10:00:00Z', end: '2026-11-23T12:00:00Z' }

describe('a cancelled booking', () => {
  test('is offered, with a mail whose link answers it and a push that has no token', async () => {
    const school = await buildSchool(api)
    const other = await buildMember(api, school.organizationId, ['student'])
    const id = await bookDual(api, school, { students: [other] })
    await enter(api, school.dispatcher, { windows: [TEN], orgUserId: school.student.orgUserId })
    await cancel(api, school, id)
    const offers = await eventually(
      () => offersOf(api, school.student),
      (found: OfferRow[]) => found.length === 1,
    )
    expect(offers).toMatchObject([{ status: 'open', start: '2026-11-23T10:00:00.000Z' }])
    const { email } = await api.core.database.db
      .selectFrom('account')
      .select('email')
      .where('id', '=', school.student.accountId)
      .executeTakeFirstOrThrow()
    const [mail] = await eventually(
      async () => workers.mails(email).filter(({ subject }) => subject.startsWith('A place for you')),
      ({ length }) => length === 1,
    )
    const [, token] = /\/offer#([\w-]+)/.exec(mail?.text ?? '') ?? []
    const shown = await api.call('POST', '/offers/lookup', { body: { token } })
    expect(shown.json().data, shown.body).toMatchObject({ status: 'open' })
    const notices = await api.core.database.db
      .selectFrom('notification')
      .select(['title', 'body', 'data'])
      .where('membership_id', '=', school.student.orgUserId)
      .where('kind', '=', 'slot_offered')
      .execute()
    expect(notices).toHaveLength(1)
    expect(JSON.stringify(notices)).not.toContain(token)
    expect(notices[0]?.data).toMatchObject({ offerId: offers[0]!.id })
  })

  test('is mailed on account of who made the entry: one who enters without end uses up their own mails', async () => {
    const school = await buildSchool(api)
    const other = await buildMember(api, school.organizationId, ['student'])
    const id = await bookDual(api, school, { students: [other] })
    await enter(api, school.student, { windows: [TEN] })
    await cancel(api, school, id)
    const { db } = api.core.database
    await eventually(
      () =>
        db
          .selectFrom('mail_count')
          .select('mails')
          .where('scope', '=', 'by_member')
          .where('key', '=', String(school.student.orgUserId))
          .execute(),
      ([counted]) => counted?.mails === 1,
    )
  })
})

describe('an offer that is withdrawn tells its person by whom', () => {
  const told = (school: School) =>
    eventually(
      () =>
        api.core.database.db
          .selectFrom('notification')
          .select('body')
          .where('membership_id', '=', school.student.orgUserId)
          .where('kind', '=', 'offer_withdrawn')
          .execute(),
      ({ length }) => length > 0,
    )
  /** Builds a school whose student has an offer for ten on Monday; one that `holds` was entered by the desk. */
  const offered = async ({ holds = true } = {}) => {
    const school = await buildSchool(api)
    const by = holds ? school.dispatcher : school.student
    await enter(api, by, { windows: [TEN], orgUserId: school.student.orgUserId })
    const [offer] = await eventually(
      () => offersOf(api, school.student),
      (found: OfferRow[]) => found.length === 1,
    )
    return { school, offer: offer! }
  }

  test('at the desk, which books it, or closes', async () => {
    for (const [verb, act] of [
      ['booked the place', ({ school, next }) => bookDual(api, school, { students: [next] })],
      [
        'closed it for that time',
        ({ school }) => expectOk(api, school.dispatcher, 'POST', '/closures', { ...TEN, reason: 'Fog' }),
      ],
    ] as [string, (given: { school: School; next: Member }) => Promise<unknown>][]) {
      const { school } = await offered()
      await act({ school, next: await buildMember(api, school.organizationId, ['student']) })
      const notices = await told(school)
      expect(notices).toMatchObject([{ body: expect.stringContaining(`${school.dispatcher.name} has ${verb}.`) }])
    }
  })

  test('without the name of a member who books a place that is not kept', async () => {
    const { school } = await offered({ holds: false })
    const next = await buildMember(api, school.organizationId, ['student'])
    await expectOk(api, next, 'POST', '/reservations', dualBody(school, { students: [next] }))
    expect(await told(school)).toMatchObject([
      { body: expect.stringContaining('Another member has booked the place.') },
    ])
  })

  test('and nothing of its instructor, who declined it', async () => {
    const { school, offer } = await offered()
    await expectOk(api, school.instructor, 'POST', `/offers/${offer.id}/decline`)
    expect(await told(school)).toMatchObject([{ body: expect.stringContaining('Others who wait are asked.') }])
  })
})

test('who loses the role that their entry needs is told that it has ended', async () => {
  const school = await buildSchool(api)
  await enter(api, school.student, { windows: [{ start: '2026-12-20T10:00:00Z', end: '2026-12-20T12:00:00Z' }] })
  const roles = { student: false, renter: true }
  await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, roles)
  await eventually(
    () =>
      api.core.database.db
        .selectFrom('notification')
        .select('body')
        .where('membership_id', '=', school.student.orgUserId)
        .where('kind', '=', 'waitlist_ended')
        .execute(),
    ([notice]) => notice?.body.includes('you no longer have the role') ?? false,
  )
})
