import { describe, expect } from 'vitest'
import { NOW } from '../../../support/app.ts'
import { buildMember, buildSchool, type Member } from '../../../support/builders.ts'
import { buildDocument } from '../../../support/desk.ts'
import { eventually } from '../../../support/eventually.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { waitingFor } from '../../../support/held-row.ts'
import { buildManaged } from '../../../support/managed.ts'

interface OrgUser {
  billTo: { orgUserId: number; name: string; acceptedAt: string | null; consent: object | null } | null
}
type Id = Pick<Member, 'orgUserId'>

const test = schoolTest()
  .extend('parent', ({ api, school }) => buildMember(api, school.organizationId, ['renter']))
  .extend(
    'setPayer',
    ({ api, school }) =>
      (of: Id, to: Id | null, by: Member = school.admin) =>
        api.as(by).patch(`/orgUsers/${of.orgUserId}`, { billToOrgUserId: to === null ? null : to.orgUserId }),
  )
  .extend(
    'accept',
    ({ api }) =>
      (of: Id, by: Member, body: object = {}) =>
        api.as(by).post(`/orgUsers/${of.orgUserId}/billTo/accept`, body),
  )
  .extend('billTo', ({ api, school }) => async (of: Id, by: Member = school.admin) => {
    return (await expectOk<OrgUser>(api, by, 'GET', `/orgUsers/${of.orgUserId}`)).billTo
  })

describe('a bill-to payer (§Members: bill-to payers)', () => {
  test('is named by an admin, and accepts', async ({ api, school, parent, setPayer, accept, billTo }) => {
    const { student } = school
    expect((await setPayer(student, parent)).statusCode).toBe(200)
    const named = { orgUserId: parent.orgUserId, name: parent.name, acceptedAt: null, consent: null }
    for (const reader of [school.admin, student, parent]) expect(await billTo(student, reader)).toEqual(named)
    expect(await billTo(student, school.dispatcher)).toBe(null)
    expect((await accept(student, school.renter)).statusCode).toBe(404)
    expect((await accept(student, school.admin)).statusCode).toBe(403)
    const given = { ledger: true, maxCentsPerMonth: 50_000 }
    expect((await accept(student, parent, given)).statusCode).toBe(200)
    const consent = { ledger: true, autopay: false, maxCentsPerMonth: 50_000 }
    expect(await billTo(student, parent)).toMatchObject({ acceptedAt: expect.any(String), consent })
    expect(await billTo(student)).toMatchObject({ consent })
    expect(await billTo(student, student)).toMatchObject({ acceptedAt: expect.any(String), consent: null })
    const events = await expectOk<{ before: object; after: object }[]>(
      api,
      school.owner,
      'GET',
      '/audit?action=member.bill_to_changed',
    )
    expect(events.map(({ after }) => after)).toEqual([
      { billToOrgUserId: parent.orgUserId, accepted: true, ...consent },
      { billToOrgUserId: parent.orgUserId, accepted: false, ledger: false, autopay: false, maxCentsPerMonth: null },
    ])
  })

  test('is ended by an admin, the member or the payer, and by nobody else', async ({
    school,
    parent,
    setPayer,
    billTo,
  }) => {
    const { student } = school
    for (const by of [school.admin, student, parent]) {
      await setPayer(student, parent)
      expect((await setPayer(student, null, school.renter)).statusCode).toBe(403)
      expect(await billTo(student)).not.toBe(null)
      expect((await setPayer(student, null, by)).statusCode).toBe(200)
      expect(await billTo(student)).toBe(null)
    }
    for (const by of [student, parent, school.dispatcher]) {
      expect((await setPayer(student, parent, by)).statusCode).toBe(403)
    }
  })

  test('has no payer, and is another live member of the organization', async ({ api, school, parent, setPayer }) => {
    const { student, renter } = school
    const other = await buildSchool(api)
    for (const to of [{ orgUserId: 999_999_999 }, other.student]) {
      const refused = await setPayer(student, to)
      expect([refused.statusCode, refused.json().message]).toEqual([400, 'billToOrgUserId: there is no such member'])
    }
    expect((await setPayer(student, student)).statusCode).toBe(400)
    await setPayer(student, parent)
    expect((await setPayer(parent, renter)).json().message).toBe('billToOrgUserId: the member pays for others')
    expect((await setPayer(renter, student)).json().message).toBe('billToOrgUserId: somebody else pays for this member')
  })

  test('has no payer in a race either', async ({ api, school, setPayer }) => {
    for (let n = 0; n < 4; n++) {
      const [a, b] = await Promise.all([1, 2].map(() => buildMember(api, school.organizationId, ['renter'])))
      const answers = await Promise.all([setPayer(a!, b!), setPayer(b!, a!)])
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
    }
    const { rows } = await api.core.database.pool.query(
      'select 1 from membership m join membership p on p.id = m.bill_to_id where p.bill_to_id is not null',
    )
    expect(rows).toEqual([])
  })

  test('without an account is accepted for by an admin, with a document of the payer', async ({
    api,
    school,
    setPayer,
    accept,
    billTo,
  }) => {
    const managed = await buildManaged(api, school)
    const of = { ...managed, accountId: 0, token: '' } as unknown as Member
    await setPayer(school.student, managed)
    expect((await accept(school.student, school.admin)).json().message).toMatch(/^documentId: is required/)
    for (const wrong of [
      { of: school.renter, upload: 'stored' },
      { of, upload: 'awaited' },
      { of, upload: 'stored', status: 'rejected' },
    ] as const) {
      const documentId = await buildDocument(api, school, wrong)
      expect((await accept(school.student, school.admin, { documentId })).statusCode).toBe(400)
    }
    const documentId = await buildDocument(api, school, { of, upload: 'stored' })
    const expires = (at: Date | null) =>
      api.core.database.pool.query('update document set expires_at = $2 where id = $1', [documentId, at])
    await expires(NOW)
    expect((await accept(school.student, school.admin, { documentId })).statusCode).toBe(400)
    await expires(null)
    expect((await accept(school.student, school.admin, { documentId })).statusCode).toBe(200)
    expect(await billTo(school.student)).toMatchObject({ acceptedAt: expect.any(String) })
    expect((await api.as(school.admin).delete(`/documents/${documentId}`)).json().code).toBe('DOCUMENT_IN_USE')
    await setPayer(school.student, null)
    expect((await api.as(school.admin).delete(`/documents/${documentId}`)).statusCode).toBe(204)
  })

  test('is not accepted for with the document of the payer before, when they change meanwhile', async ({
    api,
    school,
    setPayer,
    accept,
    billTo,
  }) => {
    const [managed, next] = [await buildManaged(api, school), await buildManaged(api, school, { name: 'Nia Next' })]
    await setPayer(school.student, managed)
    const of = { ...managed, accountId: 0, token: '' } as unknown as Member
    const documentId = await buildDocument(api, school, { of })
    const changing = await api.core.database.pool.connect()
    await changing.query('begin')
    await changing.query('select from organization where id = $1 for no key update', [school.organizationId])
    const accepted = accept(school.student, school.admin, { documentId })
    try {
      await eventually(
        () => waitingFor(changing),
        ({ length }) => length > 0,
      )
      await changing.query('update membership set bill_to_id = $2 where id = $1', [
        school.student.orgUserId,
        next.orgUserId,
      ])
      await changing.query('commit')
    } finally {
      changing.release()
    }
    expect((await accepted).statusCode).toBe(400)
    expect(await billTo(school.student)).toMatchObject({ orgUserId: next.orgUserId, acceptedAt: null })
  })

  test('who is removed pays no more, and is paid for no more', async ({
    api,
    school,
    parent,
    setPayer,
    accept,
    billTo,
  }) => {
    await setPayer(school.student, parent)
    await accept(school.student, parent, { ledger: true })
    const removed = await api.as(school.admin).delete(`/orgUsers/${parent.orgUserId}`)
    expect([removed.statusCode, removed.json()]).toEqual([
      200,
      {
        data: { orgUserId: parent.orgUserId, name: parent.name },
        warnings: [`${school.student.name} pays for themself again.`],
      },
    ])
    expect(await billTo(school.student)).toBe(null)
    await setPayer(school.student, school.renter)
    expect((await api.as(school.admin).delete(`/orgUsers/${school.student.orgUserId}`)).statusCode).toBe(204)
    const { rows } = await api.core.database.pool.query(
      'select 1 from membership where bill_to_id is not null and organization_id = $1',
      [school.organizationId],
    )
    expect(rows).toEqual([])
  })

  test('who is merged is followed by the other member, who has to accept', async ({
    api,
    school,
    parent,
    setPayer,
    billTo,
  }) => {
    const managed = await buildManaged(api, school)
    await setPayer(school.student, managed)
    await api.core.database.pool.query('update membership set bill_to_accepted_at = now() where bill_to_id = $1', [
      managed.orgUserId,
    ])
    const merged = await api
      .as(school.admin)
      .post(`/orgUsers/${managed.orgUserId}/merge`, { intoOrgUserId: parent.orgUserId, dryRun: false })
    expect(merged.json()).toMatchObject({
      warnings: [`${school.student.name} pays for themself until ${parent.name} accepts to pay.`],
    })
    expect(await billTo(school.student)).toMatchObject({ orgUserId: parent.orgUserId, acceptedAt: null, consent: null })
  })

  test('who is merged into a member who has a payer pays no more', async ({
    api,
    school,
    parent,
    setPayer,
    billTo,
  }) => {
    const managed = await buildManaged(api, school)
    await setPayer(school.student, managed)
    await setPayer(school.renter, parent)
    const merged = await api
      .as(school.admin)
      .post(`/orgUsers/${managed.orgUserId}/merge`, { intoOrgUserId: school.renter.orgUserId, dryRun: false })
    expect(merged.json()).toMatchObject({ warnings: [`${school.student.name} pays for themself again.`] })
    expect(await billTo(school.student)).toBe(null)
  })

  test('asks for a proof of identity, except the payer and the member who end it', async ({
    api,
    school,
    parent,
    setPayer,
    accept,
  }) => {
    await setPayer(school.student, parent)
    api.clock.now = new Date(api.clock.now.getTime() + 20 * 60_000)
    expect((await setPayer(school.student, school.renter)).json().code).toBe('REAUTHENTICATE')
    expect((await setPayer(school.student, null)).json().code).toBe('REAUTHENTICATE')
    expect((await accept(school.student, parent)).json().code).toBe('REAUTHENTICATE')
    expect((await setPayer(school.student, null, parent)).statusCode).toBe(200)
  })
})
