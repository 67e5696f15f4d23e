import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { inTransaction } from '../../../../src/shared/platform/db/transaction.ts'
import { findAffected } from '../../../../src/shared/scheduling/closures/closure.queries.ts'
import { findSelected } from '../../../../src/shared/workflows/bulk.access.ts'
import { NOW } from '../../../support/app.ts'
import { buildLocation, buildMember, buildPlane } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../../support/flights.ts'
import { bulk } from '../../../support/operations.ts'

const test = schoolTest()

const HOUR_MS = 3_600_000
const at = (h: number) => new Date(NOW.getTime() + h * HOUR_MS)
const cancel = { reason: 'Runway closed', category: 'weather' }
const types = ['dual', 'maintenance', 'shared', 'ground'] as const

/** A closure, and the bulk over the same window. */
const closures = fc.record({
  start: fc.integer({ min: -30, max: 90 }),
  hours: fc.integer({ min: 1, max: 40 }),
  of: fc.constantFrom('school', 'resource', 'location'),
  which: fc.nat(5),
})

describe('the window of a bulk change (§Reservations, POST /reservations/bulk)', () => {
  test('with match: overlaps, it names the bookings that a closure over the same window names, in 1,000 random cases', async ({
    api,
    school,
  }) => {
    const { organizationId, dispatcher } = school
    const other = await buildLocation(api, organizationId)
    const locations = [school.location, other]
    const planes = [school.plane, await buildPlane(api, school), await buildPlane(api, { ...school, location: other })]
    // Each plane has bookings of 1 to 5 hours, one after another; a third are elsewhere, cancelled or out.
    for (const [which, { id: resourceId }] of planes.entries()) {
      let [start, nth] = [-40, 0]
      while (start < 110) {
        const hours = 1 + ((nth * 7 + which) % 5)
        await api.core.database.pool.query(
          `insert into reservation (organization_id, title, type, starts_at, ends_at, time_zone_name, created_by, resource_id,
             location_id, live, cancelled_at, ramped_out_at, ramped_in_at)
           values ($1, 'Booked', $2, $3, $4, 'UTC', $5, $6, $7, $8, $9, $10, $10)`,
          [
            organizationId,
            types[(nth + which) % 4],
            at(start),
            at(start + hours),
            dispatcher.orgUserId,
            nth % 11 === 5 ? null : resourceId,
            nth % 3 === 2 ? null : locations[(nth + which) % 2]!.id,
            nth % 7 !== 3,
            nth % 7 === 3 ? NOW : null,
            nth % 13 === 6 ? at(start) : null,
          ],
        )
        start += hours + (nth++ % 3)
      }
    }
    const actor = { organizationId } as Parameters<typeof findSelected>[1]
    let named = 0
    await fc.assert(
      fc.asyncProperty(closures, async ({ start, hours, of, which }) => {
        const window = { start: at(start), end: at(start + hours) }
        const resourceIds = of === 'resource' ? [planes[which % 3]!.id] : undefined
        const locationIds = of === 'location' ? [locations[which % 2]!.id] : undefined
        const { rows } = await api.core.database.pool.query<{ id: number }>(
          `insert into closure (organization_id, starts_at, ends_at, reason, location_id, resource_id, created_by)
           values ($1, $2, $3, 'Closed', $4, $5, $6) returning id`,
          [organizationId, window.start, window.end, locationIds?.[0], resourceIds?.[0], dispatcher.orgUserId],
        )
        const { affected } = await findAffected(api.core.database.db, organizationId, [rows[0]!.id], NOW)
        const { result } = await inTransaction(api.core.database, api.core.clock, (tx) =>
          findSelected(tx, actor, { ...window, match: 'overlaps', resourceIds, locationIds }, 1_001),
        )
        expect(result).toEqual(affected.map(({ id }) => id))
        named += result.length
      }),
      { numRuns: 1_000 },
    )
    expect(named).toBeGreaterThan(1_000)
  }, 120_000)

  test('with match: overlaps, it has those that began before it; maintenance only when types names it', async ({
    api,
    school,
  }) => {
    const lesson = await bookDual(api, school)
    const inspection = { ...dualBody(school), type: 'maintenance', personnel: {}, resource: null }
    const { id: held } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', inspection)
    const window = { startDate: '2026-11-23T11:00:00Z', endDate: '2026-11-23T18:00:00Z' }
    const named = async (filter: object) => {
      const body = { filter: { ...window, ...filter }, action: { cancel }, dryRun: true }
      return (await bulk(api, school.dispatcher, body)).rows.map(({ reservationId }) => reservationId)
    }
    expect(await named({})).toEqual([])
    expect(await named({ match: 'starts' })).toEqual([])
    expect(await named({ match: 'overlaps' })).toEqual([lesson])
    expect(await named({ match: 'overlaps', types: ['maintenance', 'dual'] })).toEqual([lesson, held])
    expect(await named({ match: 'overlaps', types: ['solo'] })).toEqual([])
    const closure = { start: window.startDate, end: window.endDate, reason: 'Runway closed' }
    const { affected } = await expectOk<{ affected: { id: number }[] }>(
      api,
      school.dispatcher,
      'POST',
      '/closures',
      closure,
    )
    expect(affected.map(({ id }) => id)).toEqual([lesson])
  })

  test('selects by several types, and by those who instruct and not by who else is aboard', async ({ api, school }) => {
    const [second, both] = [
      await buildMember(api, school.organizationId, ['instructor']),
      await buildMember(api, school.organizationId, ['instructor', 'renter']),
    ]
    const slot = (h: number) => ({ start: `2026-11-23T${h}:00:00Z`, end: `2026-11-23T${h + 1}:00:00Z` })
    const first = await bookDual(api, school, slot(10))
    const other = await bookDual(api, { ...school, instructor: second }, slot(11))
    const rental = {
      ...dualBody(school, slot(12)),
      type: 'rental',
      personnel: { renters: [{ orgUserId: both.orgUserId }] },
    }
    const { id: rented } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', rental)
    const window = { startDate: '2026-11-23', endDate: '2026-11-23' }
    const named = async (filter: object) => {
      const body = { filter: { ...window, ...filter }, action: { cancel }, dryRun: true }
      return (await bulk(api, school.dispatcher, body)).rows.map(({ reservationId }) => reservationId)
    }
    expect(await named({})).toEqual([first, other, rented])
    expect(await named({ types: ['rental', 'solo'] })).toEqual([rented])
    expect(await named({ instructorOrgUserIds: [school.instructor.orgUserId, second.orgUserId] })).toEqual([
      first,
      other,
    ])
    expect(await named({ instructorOrgUserIds: [both.orgUserId] })).toEqual([])
    expect(await named({ orgUserId: [both.orgUserId] })).toEqual([rented])
  })

  test.for([
    ['type beside types', { type: 'dual', types: ['solo'] }, 'filter.types'],
    ['an unknown type', { types: ['dual', 'balloon'] }, 'filter.types.1'],
    ['an unknown match', { match: 'touches' }, 'filter.match'],
  ] as const)('is refused with %s', async ([_, filter, field], { api, school }) => {
    const body = { filter: { startDate: '2026-11-23', endDate: '2026-11-23', ...filter }, action: { cancel } }
    const refused = await api.as(school.dispatcher).post('/reservations/bulk', body)
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toContain(`${field}: `)
  })
})
