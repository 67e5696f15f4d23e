import { describe, expect } from 'vitest'
import { buildMember } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { importAs, importTwice } from '../../support/imports.ts'

const test = schoolTest()
  .extend('owner', ({ api, school }) => buildMember(api, school.organizationId, ['owner', 'admin']))
  .extend('people', async ({ api, owner }) => {
    const rows = [
      { name: 'Ana Ruiz', externalId: 'M-1', email: 'ana@example.com', roles: 'student renter' },
      { name: 'Bea Lund', externalId: 'M-2' },
      { name: 'Ana Ruiz', externalId: 'M-3' },
    ]
    const made = await importAs(api, owner, { kind: 'members', rows })
    return { ana: made.rows[0]!.id!, bea: made.rows[1]!.id! }
  })

describe('an import about members (§Imports)', () => {
  test('of approvals takes an aircraft, or a make and model, until a day', async ({ api, owner, people }) => {
    const rows = [{ name: 'Skyhawk', tailNumber: 'N5240T', location: '' }]
    const resources = await importAs(api, owner, { kind: 'resources', rows })
    const text =
      'Member,Aircraft,Make,Model,Expires\nM-1,n5240t,,,2027-03-31\nana@example.com,,Piper,Archer,\n' +
      'Nobody,N5240T,,,\nM-2,N1,,,\nbea lund,N5240T,Cessna,,\nAna Ruiz,N5240T,,,\n'
    expect(await importTwice(api, owner, 'approvals', text)).toMatchObject({
      first: ['created', 'created', 'refused', 'refused', 'refused', 'refused'],
      second: ['unchanged', 'unchanged', 'refused', 'refused', 'refused', 'refused'],
      problems: [
        '',
        '',
        'member: is no member of the school; give the externalId or the address of one, or import members first',
        'resource: is no aircraft, simulator or room of the school; import resources first',
        'resource: give either a resource, or both make and model',
        'member: is the name of several records; give the externalId instead',
      ],
    })
    const approvals = await expectOk<object[]>(api, owner, 'GET', `/approvals?orgUserId=${people.ana}`)
    expect(approvals).toHaveLength(2)
    expect(approvals).toContainEqual(
      expect.objectContaining({
        resource: expect.objectContaining({ id: resources.rows[0]!.id }),
        // The day is included: it ends with midnight at the school.
        expiresAt: '2027-04-01T00:00:00.000Z',
      }),
    )
    const longer = text.replace('2027-03-31', '2028-03-31')
    expect((await importAs(api, owner, { kind: 'approvals', text: longer })).outcomes[0]).toBe('updated')
  })

  test('of currencies ends those that were lost, and leaves what the service ended', async ({
    api,
    owner,
    people: _,
  }) => {
    await importAs(api, owner, {
      kind: 'currencies',
      rows: [
        { name: 'Medical', kind: 'medical' },
        { name: 'Review', kind: 'flight_review' },
      ],
    })
    const text =
      'Email,Currency,Examination date,Medical class,Suspended on\nana@example.com,Medical,2025-02-10,third,2025-08-01\n' +
      'M-1,Medical,2025-02-10,third,2025-01-01\nM-1,Review,2025-02-10,,2025-08-01\n'
    expect(await importTwice(api, owner, 'currency_records', text)).toMatchObject({
      first: ['created', 'refused', 'refused'],
      second: ['unchanged', 'refused', 'refused'],
      problems: [
        '',
        'endedOn: is before the recorded date, 2025-02-10',
        'endedOn: is for medicals, instructor certificates and expiring currencies',
      ],
    })
    const newer = text.replace('2025-02-10,third,2025-08-01', '2026-02-10,third,')
    expect((await importAs(api, owner, { kind: 'currency_records', text: newer })).outcomes[0]).toBe('refused')
    const { rows } = await api.core.database.pool.query(
      `select ended_on::text as on, ended_because as because from currency_record where organization_id = $1`,
      [owner.organizationId],
    )
    expect(rows).toEqual([{ on: '2025-08-01', because: null }])
  })

  test('of currencies records dates, of which the latest stays', async ({ api, owner, people }) => {
    const kinds = [
      { name: 'Medical', kind: 'medical' },
      { name: 'Club checkout', kind: 'expiring' },
      { name: 'Landings', kind: 'recent flights', count: 3, days: 90 },
    ]
    await importAs(api, owner, { kind: 'currencies', rows: kinds })
    const text =
      'Email,Currency,Examination date,Valid until,Medical class\nana@example.com,medical,2025-02-10,2030-02-28,third\n' +
      'M-1,Club checkout,2025-03-01,2025-09-01,\nM-1,Club checkout,2025-01-01,2025-06-30,\n' +
      'M-2,Club checkout,2025-01-01,,\nM-2,Club checkout,2024-01-01,Never,\nM-2,Landings,2025-01-01,,\nM-2,Night,2025-01-01,,\n'
    expect(await importTwice(api, owner, 'currency_records', text)).toMatchObject({
      first: ['created', 'created', 'unchanged', 'refused', 'created', 'refused', 'refused'],
      second: ['unchanged', 'unchanged', 'unchanged', 'refused', 'unchanged', 'refused', 'refused'],
      problems: [
        'expiresAt: follows from the regulation; the given value is ignored',
        '',
        'completedAt: is older than the stored one, which is kept',
        'expiresAt: is missing, since the currency has no period of its own; write never for no end',
        '',
        'null: This currency is counted from flights; no dates can be recorded.',
        'currency: is no currency of the school; import currencies first',
      ],
    })
    const states = await expectOk<{ currency: { name: string }; validUntil: string | null }[]>(
      ...([api, owner, 'GET', `/orgUsers/${people.ana}/currencies`] as const),
    )
    expect(states.find(({ currency }) => currency.name === 'Club checkout')).toMatchObject({
      validUntil: '2025-09-01',
    })
  })

  test('of balances posts one adjustment a member, and refuses another amount', async ({ api, owner, people }) => {
    const text = 'member,amountCents,memo\nM-1,-12050,from the old system\nM-2,0,\n'
    const brought = await importTwice(api, owner, 'balances', text)
    expect(brought).toMatchObject({ first: ['created', 'unchanged'], second: ['unchanged', 'unchanged'] })
    const [entry, more] = await expectOk<object[]>(api, owner, 'GET', `/orgUsers/${people.ana}/ledger`)
    expect(more).toBeUndefined()
    expect(entry).toMatchObject({
      id: brought.ids[0],
      kind: 'adjustment',
      amountCents: -12_050,
      balanceCents: -12_050,
      memo: 'opening balance: from the old system',
    })
    const other = await importAs(api, owner, { kind: 'balances', rows: [{ member: 'M-1', amountCents: 500 }] })
    expect(other.rows[0]!.problems).toEqual([
      {
        column: 'amountCents',
        message: 'differs from the stored opening balance; correct that with an adjustment',
      },
    ])
  })
})
