import { describe, expect } from 'vitest'
import { buildMember } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { bookDual, expectOk } from '../../support/flights.ts'
import { work } from '../../support/operations.ts'
import { buildBill } from '../../support/reports.ts'

const test = schoolTest()

interface Exported {
  account: { email: string }
  memberships: {
    organization: { name: string }
    orgUserId: number
    membership: { roles: string[] }
    records: Record<string, Record<string, unknown>[]>
  }[]
}

describe('an export of what is held about oneself (§Exports)', () => {
  test('has the own rows of all organizations, others as ids, no notes of staff and no secrets', async ({
    api,
    school,
  }) => {
    const { student, admin, instructor, organizationId } = school
    await expectOk(api, admin, 'PATCH', `/orgUsers/${student.orgUserId}/profile`, {
      birthDate: '1994-03-14',
      notes: 'Talks too much on the radio',
    })
    const body = { start: '2026-12-20T10:00:00Z', end: '2026-12-20T12:00:00Z' }
    const booking = await bookDual(api, school, body)
    await buildBill(api, school, { payer: student, lines: [{ kind: 'other', amountCents: 4_500 }] })
    await expectOk(api, instructor, 'POST', '/training/endorsements', {
      orgUserId: student.orgUserId,
      title: 'Solo',
      renderedText: 'May fly alone',
      signerCertificateNumber: '3141592CFI',
    })
    const { id } = await expectOk<{ id: number }>(api, student, 'POST', '/users/export', {})
    await work(api, { organizationId, operationId: id })
    const { url, fileName } = await expectOk<{ url: string; fileName: string }>(
      ...([api, student, 'POST', `/exports/${id}/download`, {}] as const),
    )
    expect(fileName).toBe('about-me-2026-11-21.json')
    const { pathname, search } = new URL(url)
    const text = (await api.app.inject({ method: 'GET', url: `${pathname}${search}` })).body
    const exported: Exported = JSON.parse(text)
    expect(exported.account.email).toBe(student.email)
    const [membership] = exported.memberships
    expect(membership).toMatchObject({ orgUserId: student.orgUserId, membership: { roles: ['student'] } })
    const { records } = membership!
    expect(records).toMatchObject({
      memberProfile: [{ facts: { birthDate: '1994-03-14' } }],
      reservation: [{ id: booking }],
      seat: [{ membershipId: student.orgUserId }],
      invoice: [{ totalCents: 4_500 }],
      invoiceItem: [{ kind: 'other', amountCents: 4_500 }],
      endorsement: [{ title: 'Solo' }],
    })
    for (const hidden of ['Talks too much', instructor.name, admin.name, '3141592CFI', 'passwordHash', 'payUrl']) {
      expect(text).not.toContain(hidden)
    }
    const { rows } = await api.core.database.pool.query(
      "select kind from event where organization_id = $1 and kind like 'person_export%' order by kind desc",
      [organizationId],
    )
    expect(rows.map(({ kind }) => kind)).toEqual(['person_export.started', 'person_export.downloaded'])
  })

  test('is answered at once to an account that is in no organization, with what a school that it left keeps', async ({
    api,
    school,
  }) => {
    const member = await buildMember(api, school.organizationId, ['renter'])
    await buildBill(api, school, { payer: member, lines: [{ kind: 'other', amountCents: 4_500 }] })
    const left = await api.call('DELETE', `/orgUsers/${member.orgUserId}`, { token: school.admin.token })
    expect(left.statusCode, left.body).toBeLessThan(300)
    const { accountId } = member
    const nowhere = { accountId, organizationId: null, membershipId: null }
    const { token } = await api.core.tokens.issue(nowhere, api.clock.now)
    const answer = await api.as({ token }).post('/users/export', {})
    expect([answer.statusCode, answer.json().data]).toEqual([
      200,
      {
        createdAt: api.clock.now.toISOString(),
        account: expect.objectContaining({ email: member.email, name: member.name }),
        memberships: [
          expect.objectContaining({
            orgUserId: member.orgUserId,
            organization: { id: school.organizationId, name: 'Bay Flight Academy' },
            records: expect.objectContaining({ invoice: [expect.objectContaining({ totalCents: 4_500 })] }),
          }),
        ],
      },
    ])
    expect(answer.body).not.toContain('passwordHash')
    api.clock.now = new Date(api.clock.now.getTime() + 16 * 60_000)
    expect((await api.as({ token }).post('/users/export', {})).json().code).toBe('REAUTHENTICATE')
  })

  test('is nobody else’s, an owner’s or admin’s neither', async ({ api, school }) => {
    const member = await buildMember(api, school.organizationId, ['renter'])
    const { id } = await expectOk<{ id: number }>(api, member, 'POST', '/users/export', {})
    await work(api, { organizationId: school.organizationId, operationId: id })
    for (const who of [school.owner, school.admin, school.student]) {
      expect((await api.as(who).post(`/exports/${id}/download`, {})).statusCode).toBe(404)
    }
    expect((await api.as(member).post(`/exports/${id}/download`, {})).statusCode).toBe(200)
    for (const who of [school.owner, school.admin]) {
      expect((await api.as(who).get('/operations?kind=person_export')).json().data).toEqual([])
      for (const path of ['', '/rows', '/events']) {
        expect((await api.as(who).get(`/operations/${id}${path}`)).statusCode).toBe(404)
      }
    }
    expect((await api.as(member).get('/operations')).json().data).toMatchObject([{ id }])
  })
})
