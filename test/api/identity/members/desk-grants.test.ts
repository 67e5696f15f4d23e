import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../../support/builders.ts'
import { schoolWorkersTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { giveDesk } from '../../../support/grants.ts'
import { buildManaged } from '../../../support/managed.ts'

const test = schoolWorkersTest()
  .extend('ask', ({ api, school }) => (orgUserId: number, grant: string, by: Member = school.admin) => {
    return api.as(by).post('/grants', { orgUserId, grant })
  })
  .extend('events', ({ api, school }) => async () => {
    const { rows } = await api.core.database.pool.query(
      `select kind, actor_kind, coalesce(after, before) ->> 'grant' as grant, subject_id from event
        where organization_id = $1 and kind like 'grant.%' order by at, kind`,
      [school.organizationId],
    )
    return rows.map(({ kind, actor_kind, grant, subject_id }) => [kind, actor_kind, grant, subject_id])
  })

describe('a desk grant (§22.1)', () => {
  test('is given and withdrawn by admins, listed to all of them and to its holder, and audited', async ({
    api,
    school,
    ask,
    events,
  }) => {
    const { admin, dispatcher, instructor } = school
    const given = await ask(dispatcher.orgUserId, 'cashier')
    expect([given.statusCode, given.json().data]).toMatchObject([
      201,
      { orgUserId: dispatcher.orgUserId, grant: 'cashier', grantedBy: { orgUserId: admin.orgUserId } },
    ])
    await giveDesk(api, school, instructor, 'registrar')
    const seen = async (by: Member) =>
      (await expectOk<{ grant: string }[]>(api, by, 'GET', '/grants')).map(({ grant }) => grant)
    expect([await seen(admin), await seen(dispatcher), await seen(school.student)]).toEqual([
      ['registrar', 'cashier'],
      ['cashier'],
      [],
    ])
    expect((await api.as(admin).delete(`/grants/${given.json().data.id}`)).statusCode).toBe(204)
    expect(await seen(dispatcher)).toEqual([])
    expect(await events()).toEqual([
      ['grant.given', 'person', 'cashier', dispatcher.orgUserId],
      ['grant.given', 'person', 'registrar', instructor.orgUserId],
      ['grant.withdrawn', 'person', 'cashier', dispatcher.orgUserId],
    ])
  })

  test('goes to dispatchers and instructors with an account alone, once, and not to oneself', async ({
    api,
    school,
    ask,
  }) => {
    const managed = await buildManaged(api, school, { instructor: true })
    const elsewhere = await buildMember(api, school.organizationId, ['dispatcher'])
    await api.as(school.owner).delete(`/orgUsers/${elsewhere.orgUserId}`)
    const dean = await buildMember(api, school.organizationId, ['admin', 'instructor'])
    const tried = [
      await ask(school.student.orgUserId, 'cashier'),
      await ask(school.technician.orgUserId, 'registrar'),
      await ask(managed.orgUserId, 'cashier'),
      await ask(elsewhere.orgUserId, 'cashier'),
      await ask(dean.orgUserId, 'cashier', dean),
      await ask(school.dispatcher.orgUserId, 'auditor'),
      await ask(school.dispatcher.orgUserId, 'cashier', school.dispatcher),
    ]
    expect(tried.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 400, 400, 403])
    expect((await ask(school.dispatcher.orgUserId, 'cashier')).statusCode).toBe(201)
    const again = await ask(school.dispatcher.orgUserId, 'cashier')
    expect([again.statusCode, again.json().code]).toEqual([409, 'ALREADY_EXISTS'])
  })

  test('is given once when eight admins give it at once', async ({ school, ask }) => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(school.dispatcher.orgUserId, 'cashier')))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, ...Array(7).fill(409)])
  })

  test('ends with the last role that may hold it, and with the membership, by the service', async ({
    api,
    school,
    events,
  }) => {
    const { admin, dispatcher, instructor } = school
    await giveDesk(api, school, dispatcher, 'cashier')
    await giveDesk(api, school, instructor, 'registrar')
    const change = (roles: object) => api.as(admin).patch(`/orgUsers/${dispatcher.orgUserId}`, roles)
    expect((await change({ instructor: true, dispatcher: false })).statusCode).toBe(200)
    expect((await expectOk<unknown[]>(api, admin, 'GET', '/grants')).length).toBe(2)
    expect((await change({ instructor: false, student: true })).statusCode).toBe(200)
    expect((await api.as(admin).delete(`/orgUsers/${instructor.orgUserId}`)).statusCode).toBe(204)
    expect(await expectOk<unknown[]>(api, admin, 'GET', '/grants')).toEqual([])
    expect((await events()).slice(2)).toEqual([
      ['grant.withdrawn', 'system', 'cashier', dispatcher.orgUserId],
      ['grant.withdrawn', 'system', 'registrar', instructor.orgUserId],
    ])
    expect((await change({ dispatcher: true })).statusCode).toBe(200)
    expect((await api.as(dispatcher).get('/invoices')).statusCode).toBe(403)
  })

  test('is mailed to all owners when somebody can take money, with both grants in one hand', async ({
    api,
    school,
    workers,
  }) => {
    const { admin, owner, dispatcher } = school
    const second = await buildMember(api, school.organizationId, ['owner', 'admin'])
    await giveDesk(api, school, dispatcher, 'registrar')
    await workers.settled()
    const about = ({ email }: Member) =>
      workers
        .mails(email)
        .filter(({ subject }) => /^Who can take money at /.test(subject))
        .map(({ text }) => text.split('\n\n')[2]?.replaceAll('\n', ' '))
    expect(about(owner)).toEqual([])
    await giveDesk(api, school, dispatcher, 'cashier')
    await workers.settled()
    const both =
      `${admin.name} gave ${dispatcher.name} a grant. ${dispatcher.name} is now both a cashier, who can invoice and ` +
      'record payments, and a registrar, who can add people.'
    expect([about(owner), about(second)]).toEqual([[both], [both]])
  })
})
