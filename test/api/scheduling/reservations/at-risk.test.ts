import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { findActor } from '../../../../src/shared/platform/authz/actor.queries.ts'
import { judgeAhead } from '../../../../src/shared/scheduling/reservations/judge-ahead.ts'
import { storedBooking } from '../../../../src/shared/scheduling/reservations/reservation.access.ts'
import { findReservation } from '../../../../src/shared/scheduling/reservations/reservation.queries.ts'
import { planBooking } from '../../../../src/shared/scheduling/rules/plan-booking.ts'
import { buildMember, buildPlane, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, must } from '../../../support/flights.ts'

interface AtRisk {
  id: number
  problems: { rule: string; code: string; message: string }[]
}

const test = schoolTest()
  .extend(
    'atRisk',
    ({ api, school }) =>
      async (query = '', who: Member = school.dispatcher) =>
        (await must<AtRisk[]>(api, who, 'GET', `/reservations/atRisk?${query}`)).map(({ id, problems }) => ({
          id,
          rules: problems.map(({ rule }) => rule),
        })),
  )
  .extend('away', ({ api }) => ({ organizationId, orgUserId }: Member, on: number) => {
    const { start, end } = day(on)
    return api.core.database.db
      .insertInto('time_off')
      .values({
        organization_id: organizationId,
        membership_id: orgUserId,
        starts_at: new Date(start),
        ends_at: new Date(end),
      })
      .execute()
  })

const day = (n: number) => ({ start: `2026-11-${n}T10:00:00Z`, end: `2026-11-${n}T12:00:00Z` })

describe('bookings at risk (§Dispatch, GET /reservations/atRisk)', () => {
  test('are those that something stands in the way of since, until it goes', async ({ api, school, atRisk, away }) => {
    const plane = await buildPlane(api, school)
    const [monday, tuesday] = [await bookDual(api, school, day(23)), await bookDual(api, { ...school, plane }, day(24))]
    expect(await atRisk()).toEqual([])
    const ground = (grounded: boolean) =>
      must(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, { grounded, reason: 'Flat strut' })
    await ground(true)
    await away(school.instructor, 24)
    const closed = { start: '2026-11-24T11:00:00Z', end: '2026-11-24T13:00:00Z', reason: 'Fly-in' }
    await must(api, school.admin, 'POST', '/closures', closed)
    expect(await atRisk()).toEqual([
      { id: monday, rules: ['resource_grounded'] },
      { id: tuesday, rules: ['availability', 'closed_period'] },
    ])
    expect(await atRisk('rule=closed_period')).toMatchObject([{ id: tuesday }])
    expect(await atRisk(`startDate=2026-11-24T00:00:00Z&endDate=2026-11-25T00:00:00Z`)).toMatchObject([{ id: tuesday }])
    expect(await atRisk(`locationId=${school.location.id + 1_000}`)).toEqual([])
    await ground(false)
    expect(await atRisk()).toMatchObject([{ id: tuesday }])
  })

  test('tell an instructor who is grounded, and the desk why', async ({ api, school }) => {
    await bookDual(api, school)
    await must(api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, {
      ...{ grounded: true, groundedReason: 'Heart surgery' },
    })
    const told = async (who: Member) => {
      const [row] = await must<AtRisk[]>(api, who, 'GET', '/reservations/atRisk')
      return row?.problems[0]?.message
    }
    expect(await told(school.dispatcher)).toContain('Heart surgery')
    expect(await told(school.instructor)).not.toContain('Heart surgery')
  })

  test('are not those that were overridden, and are for staff', async ({ api, school, atRisk }) => {
    const closed = { start: '2026-11-23T11:00:00Z', end: '2026-11-23T13:00:00Z', reason: 'Fly-in' }
    await must(api, school.admin, 'POST', '/closures', closed)
    const overrides = [{ rule: 'closed_period', reason: 'The tower agreed' }]
    await bookDual(api, school, { extra: { overrides } })
    expect(await atRisk()).toEqual([])
    for (const who of [school.student, school.renter, school.technician]) {
      expect((await api.as(who).get('/reservations/atRisk')).statusCode).toBe(403)
    }
    const query = 'startDate=2026-11-01T00:00:00Z&endDate=2027-11-01T00:00:00Z'
    expect((await api.as(school.dispatcher).get(`/reservations/atRisk?${query}`)).statusCode).toBe(400)
  })

  test('are, whatever changes, those that judging each alone finds', async ({ api, school, away }) => {
    const { db } = api.core.database
    const planes = [school.plane, await buildPlane(api, school), await buildPlane(api, school)]
    const instructors = [school.instructor, await buildMember(api, school.organizationId, ['instructor'])]
    const ids: number[] = []
    for (let n = 0; n < 12; n += 1) {
      const plane = planes[n % 3]!
      ids.push(
        await bookDual(api, { ...school, plane, instructor: instructors[n % 2]! }, day(22 + (n % 8))).catch(() => 0),
      )
    }
    const actor = (await findActor(db, school.organizationId, school.dispatcher.orgUserId))!
    const change = fc.oneof(
      fc.record({ ground: fc.nat(2), grounded: fc.boolean() }),
      fc.record({ close: fc.integer({ min: 22, max: 29 }), hour: fc.integer({ min: 6, max: 14 }) }),
      fc.record({ away: fc.nat(1), on: fc.integer({ min: 22, max: 29 }) }),
      fc.record({ person: fc.nat(1), grounded: fc.boolean() }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        for (const one of changes) {
          if ('ground' in one) {
            const set = { grounded_by_person: one.grounded, grounded_reason: one.grounded ? 'Strut' : null }
            await db.updateTable('resource').set(set).where('id', '=', planes[one.ground]!.id).execute()
          } else if ('close' in one) {
            const at = `2026-11-${one.close}T${String(one.hour).padStart(2, '0')}`
            const body = { start: `${at}:00:00Z`, end: `${at}:30:00Z`, reason: 'Fog' }
            await must(api, school.admin, 'POST', '/closures', body)
          } else if ('away' in one) {
            await away(instructors[one.away]!, one.on)
          } else {
            const { orgUserId } = instructors[one.person]!
            await db.updateTable('membership').set({ grounded: one.grounded }).where('id', '=', orgUserId).execute()
          }
        }
        const window = { start: api.clock.now, end: new Date('2026-12-31T00:00:00Z') }
        const flagged = (await judgeAhead(db, actor, api.clock.now, window)).map(({ row }) => row.id)
        const alone: number[] = []
        for (const id of ids.filter((one) => one > 0)) {
          const row = (await findReservation(api.core.database, school.organizationId, id))!
          const { judged } = await planBooking(db, actor, api.clock.now, storedBooking(row))
          if (judged[0]!.problems.length > 0) alone.push(id)
        }
        expect(flagged.toSorted()).toEqual(alone.toSorted())
      }),
      { numRuns: 8 },
    )
  })
})
