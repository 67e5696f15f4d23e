import { expect } from 'vitest'
import { inTransaction } from '../../../../src/shared/platform/db/transaction.ts'
import { findWaiting } from '../../../../src/shared/scheduling/waitlist/waiting.queries.ts'
import { NOW, type TestApp } from '../../../support/app.ts'
import { buildMember, buildPlane, type Member, type School, writeSettings } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { buildBooking } from '../../../support/records.ts'
import { enter } from '../../../support/waitlist.ts'
import { type Deed, histories, type Who } from './order.histories.ts'

const test = schoolTest()

const HOUR_MS = 3_600_000
const LONG_AGO = new Date(NOW.getTime() - 1_000 * HOUR_MS)

test.for(histories)('by %s is asked first: %s', async ([order, , steps, expected], { api, school }) => {
  await writeSettings(api, school.organizationId, { waitlistOrder: order })
  const play = await playersOf(api, school)
  for (const [hour, who, deed] of steps) {
    api.clock.now = new Date(NOW.getTime() + hour * HOUR_MS)
    await play(who, deed)
  }
  expect(await play.asked(order)).toBe(expected)
  expect(await play.shown(), 'the positions').toBe(expected)
})

/** Returns what plays a step, with the order in which its members are asked and the one that they are shown. */
async function playersOf(api: TestApp, school: School) {
  const { organizationId } = school
  const { db, pool } = api.core.database
  const planes = [school.plane, await buildPlane(api, school), await buildPlane(api, school)].map(({ id }) => id)
  await db.updateTable('resource').set({ pool: 'Fleet' }).where('id', 'in', planes).execute()
  const instructors = [school.instructor.orgUserId]
  for (let n = 0; n < 2; n++) instructors.push((await buildMember(api, organizationId, ['instructor'])).orgUserId)
  const people: Record<Who, Member> = {
    A: school.student,
    B: await buildMember(api, organizationId, ['student']),
    C: await buildMember(api, organizationId, ['student']),
  }
  const letters = new Map(Object.entries(people).map(([letter, { orgUserId }]) => [orgUserId, letter]))
  const joined = (at: Date, who: readonly Member[]) =>
    db
      .updateTable('membership')
      .set({ created_at: at })
      .where(
        'id',
        'in',
        who.map(({ orgUserId }) => orgUserId),
      )
      .execute()
  await joined(LONG_AGO, Object.values(people))

  const entries = new Map<Who, number>()
  const [eight, ten, six, eight2] = ['08', '10', '18', '20'].map((hour) => `2026-11-23T${hour}:00:00Z`)
  const [day, later] = [
    { start: eight!, end: six! },
    { start: '2026-11-24T08:00:00Z', end: '2026-11-24T18:00:00Z' },
  ]
  const wished = { resourceIds: planes.slice(0, 2), instructorOrgUserIds: instructors.slice(0, 2) }
  const patches: Partial<Record<Deed, object>> = {
    'adds a window': { windows: [day, later] },
    'moves the window': { windows: [{ start: ten, end: eight2 }] },
    'shortens the window': { windows: [{ start: ten, end: six }] },
    'takes the window back': { windows: [day] },
    'flies longer': { durationMinutes: 180 },
    'flies shorter': { durationMinutes: 60 },
    'needs less notice': { noticeMinutes: 120 },
    'needs more notice': { noticeMinutes: 240 },
    'takes one aircraft': { resourceIds: [planes[1]] },
    'takes another aircraft': { resourceIds: [planes[0], planes[2]] },
    'takes any aircraft': { resourceIds: [] },
    'takes a pool': { pool: 'Fleet', resourceIds: [] },
    'takes one instructor': { instructorOrgUserIds: [instructors[1]] },
    'takes another instructor': { instructorOrgUserIds: [instructors[0], instructors[2]] },
    'takes any instructor': { instructorOrgUserIds: [] },
    'moves none': { insteadOf: null },
    'says the same again': { windows: [day], durationMinutes: 120, noticeMinutes: 180, ...wished },
  }
  const patch = (who: Who, body: object) => expectOk(api, people[who], 'PATCH', `/waitlist/${entries.get(who)}`, body)
  const toMove = (who: Who) =>
    bookDual(api, school, { start: '2026-11-25T10:00:00Z', end: '2026-11-25T12:00:00Z', students: [people[who]] })
  const entered = async (who: Who, body: object) => {
    entries.set(who, await enter(api, people[who], { ...wished, ...body }))
  }

  /** Inserts a booking of two hours that ends now, as it is after a deed. */
  async function booked(who: Who, changed: string) {
    const fromHour = (api.clock.now.getTime() - NOW.getTime()) / HOUR_MS - 2
    const seats = [{ side: 'students' as const, member: people[who] }]
    const id = await buildBooking(api, school, { fromHour, seats, cancelled: changed.includes('cancelled_at') })
    if (changed) await pool.query(`update reservation set ${changed} where id = $1`, [id])
  }

  /** Inserts an offer to an entry that has ended so, or is open. */
  function offered(who: Who, status: string, cause: string | null = null) {
    return pool.query(
      `insert into offer (organization_id, source, entry_id, membership_id, type, starts_at, ends_at, resource_id, made_at,
         expires_at, holds_until, status, ended_at, cause)
       values ($1, 'waitlist', $2, $3, 'dual', $4::timestamptz, $4::timestamptz + interval '2 hours', $5, $6::timestamptz,
         $6::timestamptz + interval '1 hour', $6, $7, case when $7 <> 'open' then $6::timestamptz end, $8)`,
      [organizationId, entries.get(who), people[who].orgUserId, ten, planes[0], api.clock.now, status, cause],
    )
  }

  const deeds: Partial<Record<Deed, (who: Who) => Promise<unknown>>> = {
    joins: (who) => joined(api.clock.now, [people[who]]),
    flies: (who) => booked(who, 'ramped_out_at = starts_at, ramped_in_at = ends_at'),
    'is out': (who) => booked(who, 'ramped_out_at = starts_at'),
    'was booked': (who) => booked(who, ''),
    cancels: (who) => booked(who, `cancelled_at = starts_at, cancellation_category = 'student'`),
    'does not show up': (who) => booked(who, `cancelled_at = ends_at, cancellation_category = 'no_show'`),
    enters: (who) => entered(who, {}),
    'enters for solo': (who) => entered(who, { type: 'solo', instructorOrgUserIds: [] }),
    'enters with a booking to move': async (who) => entered(who, { insteadOf: await toMove(who) }),
    leaves: (who) => api.as(people[who]).delete(`/waitlist/${entries.get(who)}`),
    'is offered': (who) => offered(who, 'open'),
    declines: (who) => offered(who, 'declined'),
    'is silent': (who) => offered(who, 'expired'),
    'is booked over': (who) => offered(who, 'withdrawn', 'booked'),
    'moves a booking': async (who) => patch(who, { insteadOf: await toMove(who) }),
  }
  const play = (who: Who, deed: Deed) => deeds[deed]?.(who) ?? patch(who, patches[deed]!)
  const inOrder = (rows: readonly { orgUserId: number; type: string }[]) =>
    rows.flatMap(({ orgUserId, type }) => (type === 'dual' ? letters.get(orgUserId)! : [])).join('')
  return Object.assign(play, {
    async asked(order: (typeof histories)[number][0]) {
      const { result } = await inTransaction(api.core.database, api.core.clock, (tx) =>
        findWaiting(tx, organizationId, { order, dayStart: NOW, factor: 1 }),
      )
      return inOrder(result)
    },
    async shown() {
      type Row = { orgUserId: number; type: string; position: number | null }
      const rows = await expectOk<Row[]>(api, school.dispatcher, 'GET', '/waitlist?status=waiting')
      return inOrder(rows.filter(({ position }) => position !== null).sort((a, b) => a.position! - b.position!))
    },
  })
}
