import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { importAs } from '../../support/imports.ts'

const test = schoolTest().extend('owner', ({ api, school }) =>
  buildMember(api, school.organizationId, ['owner', 'admin']),
)

interface OrgUser {
  id: number
  managed: boolean
  user: { name: string; email: string | null }
  student: boolean
  renter: boolean
  admin: boolean
}

const file = (rows: string) => `Member number,Full name,E-Mail,Role,DOB,Certificate grade,Emergency contact\n${rows}\n`
const of = (text: string) => ({ kind: 'members', text: file(text) })

describe('an import of members (§Imports)', () => {
  test('adds members without an account, and finds them again by their number or address', async ({ api, owner }) => {
    const rows = 'M-1,Ana Ruiz,Ana@Example.com,student|renter,3/14/1994,private,Luis Ruiz\nM-2,Bea Lund,,,,,'
    const first = await importAs(api, owner, of(rows))
    expect(first.outcomes).toEqual(['created', 'created'])
    const ana = await expectOk<OrgUser>(api, owner, 'GET', `/orgUsers/${first.rows[0]!.id}`)
    expect(ana).toMatchObject({ managed: true, student: true, renter: true, externalId: 'M-1' })
    expect(ana.user).toMatchObject({ name: 'Ana Ruiz', email: 'ana@example.com' })
    expect(await expectOk(api, owner, 'GET', `/orgUsers/${ana.id}/profile`)).toMatchObject({
      birthDate: '1994-03-14',
      pilotCertificate: { grade: 'private' },
      emergencyContact: { name: 'Luis Ruiz' },
    })
    expect((await importAs(api, owner, of(rows))).outcomes).toEqual(['unchanged', 'unchanged'])
    const changed = ',Ana Ruiz Lopez,ana@example.com,renter,1994-03-14,commercial,\nM-2,Bea Lund,bea@example.com,,,,'
    const second = await importAs(api, owner, of(changed))
    expect(second.rows).toMatchObject([
      { outcome: 'updated', id: ana.id },
      { outcome: 'updated', id: first.rows[1]!.id },
    ])
    expect(await expectOk(api, owner, 'GET', `/orgUsers/${ana.id}`)).toMatchObject({ student: false, renter: true })
    // A blank cell leaves what is there.
    expect(await expectOk(api, owner, 'GET', `/orgUsers/${ana.id}/profile`)).toMatchObject({
      pilotCertificate: { grade: 'commercial' },
      emergencyContact: { name: 'Luis Ruiz' },
    })
  })

  test('finds those without a number and an address by their name', async ({ api, owner }) => {
    const row = { kind: 'members', rows: [{ name: 'Cy Dow' }] }
    expect((await importAs(api, owner, row)).outcomes).toEqual(['created'])
    expect((await importAs(api, owner, row)).outcomes).toEqual(['unchanged'])
    const namesake = { kind: 'members', rows: [{ name: 'Cy Dow', externalId: 'M-9' }] }
    expect((await importAs(api, owner, namesake)).outcomes).toEqual(['created'])
    const { rows } = await importAs(api, owner, row)
    expect(rows[0]).toMatchObject({
      outcome: 'refused',
      problems: [{ column: 'name', message: 'matches two different records' }],
    })
  })

  test('leaves what is a person’s own, and refuses a row that points at two members', async ({
    api,
    school,
    owner,
  }) => {
    const { student } = school
    const rows = [
      { name: 'Another Name', email: student.email, externalId: 'S-1' },
      { name: 'Dee Fox', email: 'dee@example.com', externalId: 'S-2' },
    ]
    const first = await importAs(api, owner, { kind: 'members', rows })
    expect(first.rows).toMatchObject([
      {
        outcome: 'updated',
        id: student.orgUserId,
        problems: [
          {
            column: 'name',
            message: 'can be changed only by the member, who has an account; the stored value is kept',
          },
        ],
      },
      { outcome: 'created' },
    ])
    const crossed = { kind: 'members', rows: [{ name: 'Dee Fox', email: 'dee@example.com', externalId: 'S-1' }] }
    expect((await importAs(api, owner, crossed)).rows[0]).toMatchObject({
      outcome: 'refused',
      problems: [{ column: 'email', message: 'is the address of another member; two people cannot share one' }],
    })
  })

  test('makes nobody an owner, and admins only when an owner imports', async ({ api, school, owner }) => {
    const { admin } = school
    const rows = [
      { name: 'Eve', roles: 'owner admin' },
      { name: 'Flo', roles: 'admin' },
    ]
    const problems = async (who: Member, more: object[] = []) =>
      (await importAs(api, who, { kind: 'members', rows: [...rows, ...more] })).rows.map((row) => row.problems)
    expect(await problems(admin, [{ name: 'x', email: owner.email, roles: 'student' }])).toEqual([
      [{ column: 'roles', message: 'an import cannot make anyone an owner' }],
      [{ column: 'roles', message: 'only an owner can import admins' }],
      [{ column: 'roles', message: 'only an owner can change the roles of an owner or admin' }],
    ])
    expect(await problems(owner)).toEqual([[{ column: 'roles', message: 'an import cannot make anyone an owner' }], []])
  })

  test('never says a value of a profile', async ({ api, owner }) => {
    const rows = [
      { name: 'Gil', birthDate: '2999-01-01' },
      { name: 'Hal', birthDate: '31.31.1990' },
    ]
    const answer = await importAs(api, owner, { kind: 'members', rows })
    expect(answer.outcomes).toEqual(['refused', 'refused'])
    expect(answer.rows[1]!.problems).toEqual([
      { column: 'birthDate', message: 'must be a date that exists, such as 2026-03-14' },
    ])
    expect(JSON.stringify(answer)).not.toMatch(/2999|1990/)
  })
})

describe('imports of aircraft and currencies', () => {
  test('find their location by name, and never turn a meter back', async ({ api, owner }) => {
    await importAs(api, owner, { kind: 'locations', rows: [{ name: 'Livermore', externalId: 'LVK' }] })
    const row = { name: 'Skyhawk', tailNumber: 'n5240t', location: 'lvk', hobbsTime: 4213.5, wetRateCents: 18_500 }
    const file = (more: object) => ({ kind: 'resources', rows: [{ ...row, ...more }] })
    const { rows } = await importAs(api, owner, file({}))
    expect(await expectOk(api, owner, 'GET', `/resources/${rows[0]!.id}`)).toMatchObject({
      name: 'Skyhawk',
      location: { name: 'Livermore' },
      hobbsTime: 4213.5,
    })
    expect((await importAs(api, owner, file({}))).outcomes).toEqual(['unchanged'])
    expect((await importAs(api, owner, file({ hobbsTime: 4000 }))).rows[0]).toMatchObject({
      outcome: 'unchanged',
      problems: [{ column: 'hobbsTime', message: 'is lower than the stored reading, which is kept' }],
    })
    expect((await importAs(api, owner, file({ make: 'Cessna' }))).outcomes).toEqual(['updated'])
    expect((await importAs(api, owner, file({ kind: 'room' }))).rows[0]!.problems).toEqual([
      { column: 'kind', message: 'cannot change: it is a plane' },
    ])
    const unplaced = { kind: 'resources', rows: [{ name: 'Warrior' }] }
    expect((await importAs(api, owner, unplaced)).rows[0]!.problems).toEqual([
      { column: 'location', message: 'is missing, and the school does not have exactly one location' },
    ])
  })

  test('are judged by the rules of their use cases, beside the column', async ({ api, owner }) => {
    const checkout = { name: '90-day checkout', kind: 'recent flights', count: 3, days: 90, roles: 'renter' }
    const file = (more: object) => ({ kind: 'currencies', rows: [{ ...checkout, ...more }] })
    expect((await importAs(api, owner, file({ days: '' }))).rows[0]).toMatchObject({
      outcome: 'refused',
      problems: [{ column: 'days' }],
    })
    expect((await importAs(api, owner, file({}))).outcomes).toEqual(['created'])
    expect((await importAs(api, owner, file({}))).outcomes).toEqual(['unchanged'])
    expect((await importAs(api, owner, file({ enforcement: 'block' }))).outcomes).toEqual(['updated'])
  })
})
