import { describe, expect } from 'vitest'
import { inTransaction } from '../../../../src/shared/platform/db/transaction.ts'
import { markAhead } from '../../../../src/shared/scheduling/at-risk/judge-marked.ts'
import { NOW, type TestApp } from '../../../support/app.ts'
import { buildMember, type School } from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { askFrom, buildListedSchool, type Offered, offer } from '../../../support/offerings.ts'
import { enter, expireSoFar, offerSoFar, offersOf } from '../../../support/waitlist.ts'

const test = apiTest({ env: { RATE_LIMIT_FACTOR: '100' } })

const GUESTS = 100
/** A hold lasts for thirty minutes. */
const ROUND_MS = 31 * 60_000
const PLACE = { start: '2026-11-27T10:00:00.000Z', end: '2026-11-27T11:00:00.000Z' }

async function buildWaited(api: TestApp): Promise<{ school: School; offering: Offered }> {
  api.clock.now = NOW
  const school = await buildListedSchool(api, { quietHours: null })
  // Places are looked through each hour while a booking is ahead.
  await bookDual(api, school, { start: '2026-12-01T10:00:00Z', end: '2026-12-01T12:00:00Z' })
  return { school, offering: await offer(api, school) }
}

/** A guest asks for the place, each from another network. Returns the status. */
async function holds(api: TestApp, school: School, offering: Offered, guest: number): Promise<number> {
  const wished = { email: `guest${guest}@example.com`, start: PLACE.start, resource: { id: school.plane.id } }
  return (await askFrom(api, `198.51.100.${guest}`, offering, wished)).statusCode
}

describe('guests who keep a place that is offered (§Waiting list)', () => {
  test('a hundred in a row: no offer is made and withdrawn more than once', async ({ api }) => {
    const { school, offering } = await buildWaited(api)
    // Offers to members who have never flown keep nothing from guests.
    const waiting = [school.student, ...(await others(api, school, 3))]
    for (const who of waiting) await enter(api, who, { durationMinutes: 60, windows: [PLACE] })
    await offerSoFar(api, school)
    let held = 0
    for (let guest = 0; guest < GUESTS; guest++) {
      if ((await holds(api, school, offering, guest)) === 202) held += 1
      await anHour(api, school)
      api.clock.now = new Date(api.clock.now.getTime() + ROUND_MS)
      await anHour(api, school)
    }
    const { rows } = await api.core.database.pool.query(
      `select entry_id, (count(*) filter (where status = 'withdrawn'))::int as withdrawn
       from offer where organization_id = $1 group by entry_id, starts_at, resource_id`,
      [school.organizationId],
    )
    expect(held).toBeGreaterThan(GUESTS / 2)
    expect(rows).toHaveLength(waiting.length)
    expect(Math.max(...rows.map(({ withdrawn }) => withdrawn))).toBeLessThanOrEqual(1)
  })

  test('one who has not confirmed goes after who was offered it before, and is told', async ({ api }) => {
    const { school, offering } = await buildWaited(api)
    await enter(api, school.student, { durationMinutes: 60, windows: [PLACE] })
    await offerSoFar(api, school)
    expect(await holds(api, school, offering, 1)).toBe(202)
    expect(await offerSoFar(api, school)).toBe(0)
    const [open] = await offersOf(api, school.student)
    expect(open).toMatchObject({ status: 'open' })
    await expectOk(api, school.student, 'POST', `/offers/${open!.id}/accept`)
    const { rows } = await api.core.database.pool.query(
      'select held_until, hold_ended_at from booking_request where organization_id = $1',
      [school.organizationId],
    )
    expect(rows).toEqual([{ held_until: null, hold_ended_at: api.clock.now }])
  })
})

const others = (api: TestApp, { organizationId }: School, count: number) =>
  Promise.all(Array.from({ length: count }, () => buildMember(api, organizationId, ['student'])))

/** Does what the workers do each hour: late offers end, and all places are looked through. */
async function anHour(api: TestApp, school: School): Promise<void> {
  const { database, clock } = api.core
  await inTransaction(database, clock, markAhead)
  const late = await database.pool.query<{ id: number }>(
    `select id from offer where organization_id = $1 and status = 'open' and expires_at <= $2`,
    [school.organizationId, api.clock.now],
  )
  for (const { id } of late.rows) await expireSoFar(api, school, id)
  await offerSoFar(api, school)
}
