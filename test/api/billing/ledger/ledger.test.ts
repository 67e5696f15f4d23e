import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../../support/builders.ts'
import { asOwner } from '../../../support/database.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { closedOutFlight, expectOk, setRates } from '../../../support/flights.ts'

interface Entry {
  id: number
  kind: string
  amountCents: number
  balanceCents: number
  invoiceId: number | null
  reservationId: number | null
}

const test = schoolTest()
  .extend(
    'post',
    ({ api, school }) =>
      (body: object, who: Member = school.admin, to = member.orgUserId) =>
        api.as(who).post(`/orgUsers/${to}/ledger`, body),
  )
  .extend(
    'reverse',
    ({ api, school }) =>
      (id: number, body: object = { reason: 'Wrong member' }, who: Member = school.admin) =>
        api.as(who).post(`/ledger/${id}/reverse`, body),
  )
  .extend(
    'ledger',
    ({ api, school }) =>
      (query = '', who: Member = school.admin): Promise<Entry[]> =>
        expectOk<Entry[]>(api, who, 'GET', `/orgUsers/${member.orgUserId}/ledger?${query}`),
  )

let member: Member
test.beforeEach(async ({ api, school }) => {
  await setRates(api, school)
  member = school.student
  await expectOk(api, school.admin, 'PATCH', `/orgUsers/${member.orgUserId}`, { billingMode: 'ledger' })
})

describe('an entry that an admin posts to a ledger', () => {
  test('is added to the balance, and the list has the latest first', async ({ post, ledger }) => {
    const first = await post({ kind: 'deposit', amountCents: 50_000, memo: 'Check 1042' })
    expect(first.statusCode).toBe(201)
    expect(first.json().data).toMatchObject({
      orgUserId: member.orgUserId,
      kind: 'deposit',
      amountCents: 50_000,
      balanceCents: 50_000,
      reservationId: null,
      invoiceId: null,
      reversesId: null,
      memo: 'Check 1042',
    })
    await post({ kind: 'adjustment', amountCents: -12_345 })
    await post({ kind: 'adjustment', amountCents: 45 })
    expect((await ledger()).map(({ balanceCents }) => balanceCents)).toEqual([37_700, 37_655, 50_000])
    expect((await ledger('limit=1&offset=1')).map(({ amountCents }) => amountCents)).toEqual([-12_345])
    expect((await ledger('sort=amountCents')).map(({ amountCents }) => amountCents)).toEqual([-12_345, 45, 50_000])
  })

  test('of fifty posted at once follows the one before it, and the balance is exact', async ({ post, ledger }) => {
    const amounts = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? 1_000 + index : -300 - index))
    const answers = await Promise.all(amounts.map((amountCents) => post({ kind: 'adjustment', amountCents })))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))
    const entries = (await ledger()).reverse()
    let balance = 0
    for (const { amountCents, balanceCents } of entries) {
      balance += amountCents
      expect(balanceCents).toBe(balance)
    }
    expect([entries.length, balance]).toEqual([50, amounts.reduce((sum, amount) => sum + amount, 0)])
  })

  test.for<[object, string]>([
    [{ kind: 'deposit', amountCents: -1 }, 'amountCents'],
    [{ kind: 'deposit', amountCents: 0 }, 'amountCents'],
    [{ kind: 'adjustment', amountCents: 0 }, 'amountCents'],
    [{ kind: 'adjustment', amountCents: 0.5 }, 'amountCents'],
    [{ kind: 'adjustment', amountCents: 2_000_000_001 }, 'amountCents'],
    [{ kind: 'adjustment' }, 'amountCents'],
    [{ kind: 'flight_charge', amountCents: -100 }, 'kind'],
    [{ amountCents: 100 }, 'kind'],
  ])('is refused as %j', async ([body, field], { post, ledger }) => {
    const refused = await post(body)
    expect([refused.statusCode, refused.json().message.split(':')[0]]).toEqual([400, field])
    expect(await ledger()).toEqual([])
  })

  test('is refused when it takes the balance beyond what an account can hold', async ({ post }) => {
    await post({ kind: 'deposit', amountCents: 2_000_000_000 })
    const refused = await post({ kind: 'deposit', amountCents: 2_000_000_000 })
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'amountCents: the balance of the ledger would be out of range',
    ])
  })
})

describe('the ledger of a member', () => {
  test('is kept when the member leaves', async ({ api, school, post }) => {
    const leaver = await buildMember(api, school.organizationId, ['renter'])
    await post({ kind: 'deposit', amountCents: 700 }, school.admin, leaver.orgUserId)
    await api.as(school.admin).delete(`/orgUsers/${leaver.orgUserId}`)
    const entries = await expectOk<Entry[]>(api, school.admin, 'GET', `/orgUsers/${leaver.orgUserId}/ledger`)
    expect(entries.map(({ balanceCents }) => balanceCents)).toEqual([700])
    expect((await post({ kind: 'adjustment', amountCents: -700 }, school.admin, leaver.orgUserId)).statusCode).toBe(201)
  })
})

describe('reversing an entry', () => {
  test('adds the opposite entry and leaves the first', async ({ post, reverse, ledger }) => {
    const { id } = (await post({ kind: 'deposit', amountCents: 500 })).json().data
    const answer = await reverse(id)
    expect(answer.statusCode).toBe(201)
    expect(answer.json().data).toMatchObject({
      kind: 'reversal',
      amountCents: -500,
      balanceCents: 0,
      reversesId: id,
      memo: 'Wrong member',
    })
    expect(await ledger()).toHaveLength(2)
  })

  test('is 409 twice or for a reversal, and 400 without a reason', async ({ post, reverse }) => {
    const { id } = (await post({ kind: 'deposit', amountCents: 500 })).json().data
    for (const body of [{}, { reason: '' }, { reason: ' ' }]) expect((await reverse(id, body)).statusCode).toBe(400)
    const { id: reversal } = (await reverse(id)).json().data
    const refused = await Promise.all([reverse(id), reverse(reversal)])
    expect(refused.map(({ statusCode, json }) => [statusCode, json().code])).toEqual([
      [409, 'ALREADY_REVERSED'],
      [409, 'IS_REVERSAL'],
    ])
  })

  test('by twenty callers at once reverses it once', async ({ post, reverse, ledger }) => {
    const { id } = (await post({ kind: 'deposit', amountCents: 500 })).json().data
    const answers = await Promise.all(Array.from({ length: 20 }, () => reverse(id)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...new Array(19).fill(409)])
    expect((await ledger())[0]?.balanceCents).toBe(0)
  })

  test('of the charge of a flight voids its invoice, so that the flight can be billed again', async ({
    api,
    school,
    reverse,
    ledger,
  }) => {
    const id = await closedOutFlight(api, school)
    const bill = () => expectOk<{ id: number }[]>(api, school.admin, 'POST', `/reservations/${id}/invoices`)
    const [first] = await bill()
    const [charge] = await ledger()
    expect(charge).toMatchObject({
      kind: 'flight_charge',
      amountCents: -33_600,
      invoiceId: first?.id,
      reservationId: id,
    })
    await reverse(charge?.id ?? 0, { reason: 'Wrong tach' })
    expect(await expectOk(api, school.admin, 'GET', `/invoices/${first?.id}`)).toMatchObject({
      status: 'void',
      voided: true,
      paid: false,
      paidAt: null,
      amountPaidCents: 0,
    })
    expect(await expectOk(api, school.admin, 'GET', `/reservations/${id}`)).toMatchObject({ status: 'signed_off' })
    const [second] = await bill()
    expect(second?.id).not.toBe(first?.id)
    expect((await ledger()).map(({ kind, balanceCents }) => [kind, balanceCents])).toEqual([
      ['flight_charge', -33_600],
      ['reversal', 0],
      ['flight_charge', -33_600],
    ])
  })

  test('of the charge of a flight makes the flight count as uninvoiced', async ({ api, school, reverse, ledger }) => {
    const id = await closedOutFlight(api, school)
    await expectOk(api, school.admin, 'POST', `/reservations/${id}/invoices`)
    const uninvoiced = async () => {
      const window = 'startDate=2026-11-23T00:00:00Z&endDate=2026-11-24T00:00:00Z&uninvoiced=true'
      const rows = await expectOk<{ id: number }[]>(api, school.admin, 'GET', `/reservations?${window}`)
      return rows.map((row) => row.id)
    }
    expect(await uninvoiced()).toEqual([])
    await reverse((await ledger())[0]?.id ?? 0)
    expect(await uninvoiced()).toEqual([id])
  })
})

test('the database itself refuses to change or delete an entry', async ({ api, post }) => {
  await post({ kind: 'deposit', amountCents: 500 })
  await expect(asOwner(api, 'update ledger_entry set amount_cents = 1')).rejects.toThrow(/append-only/)
  await expect(asOwner(api, 'delete from ledger_entry')).rejects.toThrow(/append-only/)
})

test('two flights of one member that are invoiced at the same time are both charged, one after the other', async ({
  api,
  school,
  ledger,
}) => {
  const flights = [
    await closedOutFlight(api, school),
    await closedOutFlight(api, school, { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' }),
    await closedOutFlight(api, school, { start: '2026-11-25T10:00:00Z', end: '2026-11-25T12:00:00Z' }),
  ]
  await Promise.all(flights.map((id) => expectOk(api, school.admin, 'POST', `/reservations/${id}/invoices`)))
  expect((await ledger()).map(({ balanceCents }) => balanceCents)).toEqual([-100_800, -67_200, -33_600])
})
