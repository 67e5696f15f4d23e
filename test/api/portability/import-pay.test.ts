import { describe, expect } from 'vitest'
import { importFiles } from '../../../src/shared/portability/exports/import-files.queries.ts'
import { buildMember, type Member } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { importAs } from '../../support/imports.ts'

const test = schoolTest()
  .extend('owner', ({ api, school }) => buildMember(api, school.organizationId, ['owner', 'admin']))
  .extend(
    'put',
    ({ api }) =>
      (who: Member, row: object, more: object = {}) =>
        importAs(api, who, { kind: 'members', rows: [row], ...more }),
  )
  .extend('audited', ({ api }) => async (who: Member, action: string, id: number) => {
    const events = await expectOk<{ subject: { id: number }; before: object; after: object }[]>(
      api,
      who,
      'GET',
      `/audit?action=${action}`,
    )
    return events.filter(({ subject }) => subject.id === id).map(({ before, after }) => ({ before, after }))
  })
  .extend('told', ({ api }) => async ({ organizationId }: Member) => {
    const { rows } = await api.core.database.pool.query(
      "select payload from outbox where job = 'ledger.mail-own-money' and organization_id = $1",
      [organizationId],
    )
    return rows.map(({ payload }) => payload as { orgUserId: number })
  })

const noRates = { flightPayCents: null, groundPayCents: null, simPayCents: null }

describe('what an import of members brings of taxes and pay (§Imports, §Members)', () => {
  test('is set for members who are new and known, once, and a blank cell leaves it', async ({
    api,
    school,
    owner,
    put,
    audited,
  }) => {
    const row = { externalId: 'P-1', name: 'Ina Soto', roles: 'instructor' }
    const given = { taxExempt: 'yes', 'Flight pay': '4500', groundPayCents: 3_000 }
    const { rows, outcomes } = await put(school.admin, { ...row, ...given })
    expect(outcomes).toEqual(['created'])
    const id = rows[0]!.id!
    const read = () => expectOk(api, owner, 'GET', `/orgUsers/${id}`)
    expect(await read()).toMatchObject({ taxExempt: true, payRates: { flight: 4_500, ground: 3_000, sim: null } })
    expect(await audited(owner, 'pay_rates.changed', id)).toEqual([
      { before: noRates, after: { ...noRates, flightPayCents: 4_500, groundPayCents: 3_000, own: false } },
    ])
    expect(await audited(owner, 'rates.changed', id)).toMatchObject([
      { before: { taxExempt: false }, after: { taxExempt: true } },
    ])
    expect((await put(school.admin, { ...row, ...given })).outcomes).toEqual(['unchanged'])
    expect((await put(school.admin, row)).outcomes).toEqual(['unchanged'])
    expect((await put(school.admin, { ...row, taxExempt: 'no', simPayCents: 1 })).outcomes).toEqual(['updated'])
    expect(await read()).toMatchObject({ taxExempt: false, payRates: { flight: 4_500, ground: 3_000, sim: 1 } })
    expect(await audited(owner, 'pay_rates.changed', id)).toHaveLength(2)
  })

  test.for([
    ['flightPayCents', '0', 'must be a whole number from 1 to 2000000000'],
    ['groundPayCents', '-3000', 'must be a whole number from 1 to 2000000000'],
    ['simPayCents', '2000000001', 'must be whole cents, such as 18500 for 185.00'],
    ['simPayCents', '45.00', 'must be whole cents, such as 18500 for 185.00'],
    ['taxExempt', 'perhaps', 'must be yes or no'],
  ] as const)('is refused as %s %s, by its row and column', async ([column, cell, message], { school, put }) => {
    const { rows } = await put(school.admin, { name: 'Bad Row', [column]: cell })
    expect(rows).toMatchObject([{ row: 1, outcome: 'refused', problems: [{ column, message }] }])
  })

  test('is set for all rows of a file that goes in together', async ({ api, school }) => {
    const text = 'name,flightPayCents\nUna Uno,1100\nDuo Due,2200\nTre Tria,\n'
    const { rows } = await importAs(api, school.admin, { kind: 'members', text })
    const rates = await Promise.all(
      rows.map(({ id }) =>
        expectOk<{ payRates: { flight: number | null } }>(api, school.admin, 'GET', `/orgUsers/${id}`),
      ),
    )
    expect(rates.map(({ payRates }) => payRates.flight)).toEqual([1_100, 2_200, null])
  })

  test('is marked and told to every owner when it is the pay of who imports; a dry run tells nobody', async ({
    api,
    school,
    owner,
    put,
    audited,
    told,
  }) => {
    const leader = await buildMember(api, school.organizationId, ['admin', 'instructor'])
    const row = { name: leader.name, email: leader.email, flightPayCents: 9_900 }
    expect((await put(leader, row, { dryRun: true })).outcomes).toEqual(['updated'])
    expect(await audited(owner, 'pay_rates.changed', leader.orgUserId)).toEqual([])
    expect(await told(owner)).toEqual([])
    expect((await put(leader, row)).outcomes).toEqual(['updated'])
    expect(await audited(owner, 'pay_rates.changed', leader.orgUserId)).toMatchObject([
      { after: { flightPayCents: 9_900, own: true } },
    ])
    const owners = [school.owner.orgUserId, owner.orgUserId].sort()
    expect((await told(owner)).map(({ orgUserId }) => orgUserId).sort()).toEqual(owners)
    expect(await told(owner)).toMatchObject(
      owners.map(() => ({ what: 'pay_rates', by: leader.orgUserId, amountCents: 9_900, currency: 'usd' })),
    )
    expect((await put(leader, row)).outcomes).toEqual(['unchanged'])
    expect(await told(owner)).toHaveLength(2)
  })
})

describe('the payer that an import of members names (§Imports, §Members: bill-to payers)', () => {
  test('stands anywhere in the file, has to accept, and comes back with an export', async ({ api, school }) => {
    const text = 'externalId,name,billTo\nC-1,Cy Dow,P-1\nC-2,Una Dow,P-1\nP-1,Pat Dow,\nX-1,Xi Yu,nobody@example.com\n'
    const { rows, outcomes } = await importAs(api, school.admin, { kind: 'members', text })
    expect(outcomes).toEqual(['created', 'created', 'created', 'refused'])
    expect(rows[3]!.problems).toMatchObject([{ column: 'billTo' }])
    const read = async (at: number) => {
      const member = await expectOk<{ billTo: object | null }>(api, school.admin, 'GET', `/orgUsers/${rows[at]!.id}`)
      return member.billTo
    }
    for (const at of [0, 1]) expect(await read(at)).toMatchObject({ orgUserId: rows[2]!.id, acceptedAt: null })
    const again = await importAs(api, school.admin, {
      kind: 'members',
      text: 'externalId,name,billTo\nC-1,Cy Dow,P-1\n',
    })
    expect(again.outcomes).toEqual(['unchanged'])
    const { rows: exported } = await importFiles
      .members(school.organizationId, api.clock.now)
      .execute(api.core.database.db)
    expect(exported.filter(({ billTo }) => billTo !== null).map(({ name, billTo }) => [name, billTo])).toEqual([
      ['Cy Dow', 'P-1'],
      ['Una Dow', 'P-1'],
    ])
  })
})
