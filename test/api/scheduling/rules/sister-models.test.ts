import { describe, expect } from 'vitest'
import { namesOf } from '../../../../src/shared/fleet/resources/model-names.rules.ts'
import { findDesk } from '../../../../src/shared/scheduling/at-risk/at-risk.queries.ts'
import { judgeAhead } from '../../../../src/shared/scheduling/at-risk/judge-ahead.ts'
import { bookingBody, seats } from '../../../support/booking.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { sisters } from '../../../support/sister-models.ts'

const test = schoolTest()
  /** Adds an aircraft to the school; `complex`: one that asks more of its pilot. */
  .extend('buildPlane', ({ api, school }) => async (make: string, model: string, complex: boolean): Promise<number> => {
    const { rows } = await api.core.database.pool.query(
      `insert into resource (organization_id, location_id, kind, name, make, model, traits)
       values ($1, $2, 'plane', $3, $4, $3, $5) returning id`,
      [
        ...[school.organizationId, school.location.id, model, make],
        JSON.stringify({ category: 'airplane', class: 'single_engine_land', complex }),
      ],
    )
    return rows[0].id
  })
  .extend('enforce', ({ api, school }) => (enforcement: 'warn' | 'block') => {
    return expectOk(api, school.admin, 'PATCH', '/rules/endorsement', { enforcement })
  })

describe('a student endorsed for one of two sister models (14 CFR 61.87(n), (p); S83)', () => {
  test.for(sisters)(
    'a %s %s, is not let solo in the %s',
    async ([make, one, more], { api, school, buildPlane, enforce }) => {
      const { organizationId, student, instructor, dispatcher } = school
      const [plain, sister] = [await buildPlane(make, one, false), await buildPlane(make, more, true)]
      for (const makeAndModel of namesOf({ make, model: one, endorsedAs: [], plain: true }, [])) {
        for (const templateCode of ['A.3', 'A.4', 'A.6']) {
          await expectOk(api, instructor, 'POST', '/training/endorsements', {
            ...{ orgUserId: student.orgUserId, templateCode, renderedText: 'Ready.', signerCertificateNumber: '31CFI' },
            parameters: { makeAndModel },
          })
        }
      }
      const solo = (id: number, day: number) =>
        bookingBody(school, 'solo', {
          personnel: seats({ students: [student] }),
          resource: { id },
          start: `2026-11-2${day}T10:00:00Z`,
          end: `2026-11-2${day}T12:00:00Z`,
        })
      const { id } = await expectOk<{ id: number }>(api, dispatcher, 'POST', '/reservations', solo(sister, 4))
      await enforce('block')
      const made = await Promise.all(
        [plain, sister].map((plane, at) => api.as(dispatcher).post('/reservations', solo(plane, 5 + at))),
      )
      expect(made.map(({ statusCode }) => statusCode)).toEqual([201, 400])
      const search = new URLSearchParams({
        ...{ type: 'solo', startDate: '2026-11-27T09:00:00Z', endDate: '2026-11-27T15:00:00Z', durationMinutes: '60' },
        ...{ resourceId: `${plain},${sister}`, orgUserId: String(student.orgUserId) },
      })
      const openings = await expectOk<{ resource: { id: number } }[]>(
        ...([api, dispatcher, 'GET', `/reservations/openings?${search}`] as const),
      )
      expect(new Set(openings.map(({ resource }) => resource.id))).toEqual(new Set([plain]))
      const { db } = api.core.database
      const [flagged] = await judgeAhead(db, (await findDesk(db, organizationId))!, api.clock.now, [id])
      expect(flagged?.flag.rules).toContain('endorsement')
      const { checks } = await expectOk<{ checks: { rule: string; status: string }[] }>(
        ...([api, dispatcher, 'GET', `/reservations/${id}/release`] as const),
      )
      expect(checks).toContainEqual(expect.objectContaining({ rule: 'endorsement', status: 'block' }))
    },
  )
})
