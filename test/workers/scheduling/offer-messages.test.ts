import { describe, expect } from 'vitest'
import { notificationDefinitions } from '../../../src/workers/notification-definitions.ts'
import type { TestApp } from '../../support/app.ts'
import { buildLocation, buildMember, type School, writeSettings } from '../../support/builders.ts'
import { schoolWorkersTest } from '../../support/fixtures.ts'
import { bookDual, expectOk } from '../../support/flights.ts'
import { enter, insertOffer, offerSoFar, offersOf } from '../../support/waitlist.ts'

const test = schoolWorkersTest()

const TEN = { start: '2026-11-23T10:00:00Z', end: '2026-11-23T12:00:00Z' }
/** It is noon in UTC, and 17:00 in Almaty. */
const QUIET = { startMinute: 660, endMinute: 840 }

interface World {
  api: TestApp
  school: School
  offerId: number
}

/** What ends an offer or its entry, the kind of the message, and whether it is told at once whatever the hour. */
const endings: [string, { kind: string; atOnce?: true; act: (world: World) => Promise<unknown> }][] = [
  [
    'the desk books over',
    {
      kind: 'offer_withdrawn',
      act: async ({ api, school }) =>
        bookDual(api, school, { students: [await buildMember(api, school.organizationId, ['student'])] }),
    },
  ],
  [
    'a closure takes',
    {
      kind: 'offer_withdrawn',
      act: ({ api, school }) => expectOk(api, school.dispatcher, 'POST', '/closures', { ...TEN, reason: 'Fog' }),
    },
  ],
  [
    'its instructor declines',
    {
      kind: 'offer_withdrawn',
      act: ({ api, school, offerId }) => expectOk(api, school.instructor, 'POST', `/offers/${offerId}/decline`),
    },
  ],
  [
    'ends with the role of its person',
    {
      kind: 'waitlist_ended',
      act: ({ api, school }) =>
        expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, { student: false, renter: true }),
    },
  ],
  [
    'the desk accepts in a name',
    {
      kind: 'waitlist_booked',
      atOnce: true,
      act: ({ api, school, offerId }) =>
        expectOk(api, school.dispatcher, 'POST', `/offers/${offerId}/accept`, { how: 'phone' }),
    },
  ],
]

describe('the mail and the push about an offer that is open when quiet hours begin (§Waiting list, safety S94)', () => {
  test.for(endings)('and that %s', async ([, { kind, atOnce, act }], { api, workers, school }) => {
    await api.core.database.pool.query('insert into push_device (account_id, token) values ($1, $2)', [
      school.student.accountId,
      `phone of ${school.student.accountId}`,
    ])
    await enter(api, school.dispatcher, { windows: [TEN], orgUserId: school.student.orgUserId })
    await offerSoFar(api, school)
    const [offer] = await offersOf(api, school.student)
    await workers.settled()
    await writeSettings(api, school.organizationId, { quietHours: QUIET })
    await act({ api, school, offerId: offer!.id })
    await workers.settled()
    const { rows } = await api.core.database.pool.query<{ job: string; at: Date }>(
      `select job, available_at as at from outbox where payload ->> 'kind' = $1 and job <> 'notifications.fan-out-notification'
         and (payload ->> 'organizationId')::int = $2 and failed_at is null order by job`,
      [kind, school.organizationId],
    )
    const later = ['notifications.mail-notification', 'notifications.push-notification'].map((job) => ({
      job,
      at: new Date('2026-11-21T14:00:00Z'),
    }))
    expect(rows).toEqual(atOnce ? [] : later)
    const notices = await expectOk<{ kind: string }[]>(api, school.student, 'GET', '/notifications')
    expect(notices.filter((one) => one.kind === kind)).toHaveLength(1)
  })
})

test('quiet hours are those of the place: of two aircraft, the one where it is day is offered', async ({
  api,
  school,
}) => {
  await writeSettings(api, school.organizationId, { quietHours: QUIET })
  const far = await buildLocation(api, school.organizationId, { name: 'Almaty', timeZoneName: 'Asia/Almaty' })
  await enter(api, school.dispatcher, { windows: [TEN], orgUserId: school.student.orgUserId })
  expect(await offerSoFar(api, school), 'where it is noon').toBe(0)
  await api.core.database.pool.query('update resource set location_id = $1 where id = $2', [far.id, school.plane.id])
  const other = await buildMember(api, school.organizationId, ['student'])
  await enter(api, school.dispatcher, { windows: [TEN], orgUserId: other.orgUserId })
  expect(await offerSoFar(api, school), 'where it is evening').toBe(1)
})

test('a person is told of three withdrawn offers a day', async ({ api, school }) => {
  const sources = { database: api.core.database, clock: () => api.clock.now }
  const told: boolean[] = []
  for (const day of ['2027-01-04', '2027-01-05', '2027-01-06', '2027-01-07']) {
    const { id } = await insertOffer(api, school, { status: 'withdrawn', day })
    const about = { organizationId: school.organizationId, subjectId: id, happenedAt: api.clock.now.toISOString() }
    told.push((await notificationDefinitions.offer_withdrawn(sources, { ...about, kind: 'offer_withdrawn' })) !== null)
  }
  expect(told).toEqual([true, true, true, false])
})
