import { describe, expect } from 'vitest'
import { buildMember } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'

const test = schoolTest().extend(
  'patch',
  ({ api, school }) =>
    (payRates: object, orgUserId = school.instructor.orgUserId, who = school.admin) =>
      api.as(who).patch(`/orgUsers/${orgUserId}`, { payRates }),
)

describe('what an instructor is paid an hour (§Members)', () => {
  test('is set by admins key by key, and read by admins and the member alone', async ({ api, school, patch }) => {
    const { orgUserId } = school.instructor
    expect((await patch({ flight: 4_500, ground: 3_000 })).statusCode).toBe(200)
    const payRates = { flight: 4_500, ground: null, sim: 3_500 }
    expect((await patch({ ground: null, sim: 3_500 })).json().data).toMatchObject({ payRates })
    const colleague = await buildMember(api, school.organizationId, ['instructor'])
    for (const [reader, seen] of [
      [school.owner, payRates],
      [school.instructor, payRates],
      [school.dispatcher, null],
      [school.student, null],
      [colleague, null],
    ] as const) {
      expect((await api.as(reader).get(`/orgUsers/${orgUserId}`)).json().data.payRates).toEqual(seen)
    }
    for (const who of [school.instructor, school.dispatcher, school.student]) {
      expect((await patch({ flight: 9_900 }, orgUserId, who)).statusCode).toBe(403)
    }
    const sorted = (who: typeof school.student) => api.as(who).get('/orgUsers?sort=payRates.flight&order=asc&limit=1')
    expect((await sorted(school.admin)).json().data[0].id).toBe(orgUserId)
    expect((await sorted(school.student)).json().data[0].payRates).toBeNull()
  })

  test.for([[0], [-1], [2_000_000_001], [45.5], ['45']])('is not %s cents', async ([flight], { patch }) => {
    const response = await patch({ flight })
    expect([response.statusCode, response.json().message]).toEqual([400, expect.stringMatching(/^payRates\.flight: /)])
  })

  test('is in the audit log with what it was; a body that changes nothing is not', async ({ api, school, patch }) => {
    await patch({ flight: 4_500 })
    await patch({ flight: 4_800 })
    await patch({ flight: 4_800 })
    const { data } = (await api.as(school.admin).get('/audit?action=pay_rates.changed')).json()
    expect(data).toHaveLength(2)
    expect(data[0]).toMatchObject({
      subject: { kind: 'member', id: school.instructor.orgUserId },
      before: { flightPayCents: 4_500 },
      after: { flightPayCents: 4_800, own: false },
    })
  })

  test('of one’s own is marked, and told to every owner', async ({ api, school, patch }) => {
    const second = await buildMember(api, school.organizationId, ['owner', 'admin'])
    const mails = async () =>
      (
        await api.core.database.db
          .selectFrom('outbox')
          .select(['payload'])
          .where('job', '=', 'ledger.mail-own-money')
          .execute()
      )
        .map(({ payload }) => payload as { organizationId: number; orgUserId: number })
        .filter(({ organizationId }) => organizationId === school.organizationId)
    await patch({ flight: 4_500 })
    expect(await mails()).toEqual([])
    expect((await patch({ flight: 4_500, sim: 4_000 }, school.admin.orgUserId)).statusCode).toBe(200)
    const { data } = (await api.as(school.admin).get('/audit?action=pay_rates.changed&limit=1')).json()
    expect(data[0].after).toMatchObject({ flightPayCents: 4_500, simPayCents: 4_000, own: true })
    const told = await mails()
    expect(told.map(({ orgUserId }) => orgUserId).sort()).toEqual([school.owner.orgUserId, second.orgUserId].sort())
    expect(told[0]).toMatchObject({
      what: 'pay_rates',
      by: school.admin.orgUserId,
      amountCents: 4_500,
      currency: 'usd',
    })
  })
})
