import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../support/app.ts'
import { buildSchool, type Member, type School } from '../../../support/builders.ts'

describe('reading very many members (§Members)', () => {
  let api: TestApp
  let school: School
  beforeAll(async () => {
    api = await startTestApp({ env: { RATE_LIMIT_FACTOR: '1' } })
    // A process counts by organization: its id is none that another file has, on a database of its own.
    await api.core.database.pool.query(
      "select max(nextval(pg_get_serial_sequence('organization', 'id'))) from generate_series(1, 50000)",
    )
    school = await buildSchool(api)
    await api.core.database.pool.query(
      `insert into membership (organization_id, search_name, student)
       select $1, 'Student ' || n, true from generate_series(1, 2100) n`,
      [school.organizationId],
    )
  })
  afterAll(() => api.close())

  const read = async (who: Member, from: number, to: number) => {
    for (let offset = from; offset < to; offset += 1_000) {
      const limit = Math.min(1_000, to - offset)
      const response = await api.as(who).get(`/orgUsers?limit=${limit}&offset=${offset}`)
      expect(response.statusCode, response.body).toBe(200)
    }
  }
  const told = async () => {
    await new Promise((resolve) => setTimeout(resolve, 200))
    const { rows } = await api.core.database.pool.query<{ by: number; mails: number }>(
      `select e.membership_id as by, (select count(*)::int from outbox o where o.job = 'members.mail-wide-reading'
         and o.organization_id = e.organization_id) as mails
       from event e where e.organization_id = $1 and e.kind = 'member.read_widely'`,
      [school.organizationId],
    )
    return rows
  }

  test('is recorded once and told to the owners, of different members within an hour, by who is no admin', async () => {
    const { admin, dispatcher } = school
    await read(admin, 0, 2_100)
    await read(dispatcher, 0, 2_000)
    await read(dispatcher, 0, 1_000)
    expect(await told()).toEqual([])
    api.clock.now = new Date(api.clock.now.getTime() + 3_600_000)
    await read(dispatcher, 2_000, 2_100)
    expect(await told()).toEqual([])
    await read(dispatcher, 0, 2_000)
    expect(await told()).toEqual([{ by: dispatcher.orgUserId, mails: 1 }])
    await read(dispatcher, 0, 2_100)
    expect(await told()).toHaveLength(1)
  })

  test('counts members that are read one by one, by account as by membership', async () => {
    const { instructor, technician } = school
    await read(instructor, 0, 2_000)
    const before = (await told()).length
    // By name the last of the school.
    expect((await api.as(instructor).get(`/users/${technician.accountId}`)).statusCode).toBe(200)
    expect((await told()).length - before).toBe(1)
  })
})
