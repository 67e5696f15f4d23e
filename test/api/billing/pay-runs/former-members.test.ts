import { describe, expect } from 'vitest'
import { buildSchool } from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { buildPaid, buildSigned, resign, runPay } from '../../../support/pay-runs.ts'

const test = apiTest()

describe('a member who was paid (§Members)', () => {
  const november = ['2026-11-01', '2026-11-30'] as const
  const endedAt = new Date('2026-11-03T12:00:00Z')

  test('and is merged into another leaves their pay to the other; a correction later is at the same rates', async ({
    api,
  }) => {
    const school = await buildSchool(api)
    const from = await expectOk<{ id: number }>(api, school.admin, 'POST', '/orgUsers', {
      name: 'Ana Ruiz',
      instructor: true,
    })
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${from.id}`, { payRates: { flight: 4_500 } })
    const into = await buildPaid(api, school, { flight: 9_000 })
    const instructor = { ...into, orgUserId: from.id }
    const id = await buildSigned(api, school, { endedAt, instructor, hobbs: 100 })
    const first = await runPay(api, school, november)
    expect(first.rows).toMatchObject([{ orgUserId: from.id, amountCents: 4_500 }])
    const merged = await expectOk<{ moved: { kind: string; count: number }[] }>(
      ...([api, school.owner, 'POST', `/orgUsers/${from.id}/merge`, { intoOrgUserId: into.orgUserId }] as const),
    )
    expect(merged.moved).toContainEqual({ kind: 'pay_runs', count: 1 })
    expect(await expectOk(api, school.admin, 'GET', `/payRuns/${first.id}`)).toMatchObject({
      rows: [{ orgUserId: into.orgUserId, amountCents: 4_500 }],
    })
    await resign(api, id, new Date('2026-12-01T12:00:00Z'), { hobbs: 150 })
    const next = await runPay(api, school, november)
    expect(next.rows).toMatchObject([{ orgUserId: into.orgUserId, flightDeciHours: 5, amountCents: 2_250 }])
  })

  test('and is erased stays in the books of the organization, under another name', async ({ api }) => {
    const school = await buildSchool(api)
    const ana = await buildPaid(api, school, { flight: 4_500 })
    await buildSigned(api, school, { endedAt, instructor: ana, hobbs: 100 })
    const run = await runPay(api, school, november)
    expect((await api.as(school.owner).delete(`/orgUsers/${ana.orgUserId}`)).statusCode).toBe(204)
    const erased = await expectOk<{ kept: { kind: string; count: number; reason: string }[] }>(
      ...([api, school.owner, 'POST', `/orgUsers/${ana.orgUserId}/erase`, { reason: 'Asked for it' }] as const),
    )
    expect(erased.kept).toContainEqual(
      expect.objectContaining({ kind: 'pay_runs', count: 1, reason: expect.stringMatching('books') }),
    )
    const after = await expectOk<{ rows: { name: string; amountCents: number }[] }>(
      ...([api, school.admin, 'GET', `/payRuns/${run.id}`] as const),
    )
    expect(after.rows[0]?.name).not.toBe(ana.name)
    expect(after.rows[0]?.amountCents).toBe(4_500)
  })
})
