import { expect } from 'vitest'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { giveDesk } from '../../../support/grants.ts'

const test = schoolTest({ env: { RATE_LIMIT_FACTOR: '1' } })

test('a registrar reads 60 different profiles a day, and the owners are mailed about more (§22.1)', async ({
  api,
  school,
}) => {
  const { dispatcher, organizationId } = school
  await giveDesk(api, school, dispatcher, 'registrar')
  const { rows } = await api.core.database.pool.query<{ id: number }>(
    `insert into membership (organization_id, search_name, student)
     select $1, 'Student ' || n, true from generate_series(1, 61) n returning id`,
    [organizationId],
  )
  const ids = rows.map(({ id }) => id)
  const read = async (id: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + 2_000)
    return (await api.as(dispatcher).get(`/orgUsers/${id}/profile`)).statusCode
  }
  for (const id of ids.slice(0, 60)) expect(await read(id)).toBe(200)
  const [first, last] = [ids[0]!, ids.at(-1)!]
  expect([await read(last), await read(last), await read(first)]).toEqual([429, 429, 200])
  const told = await api.core.database.pool.query(
    `select membership_id as by from event where organization_id = $1 and kind = 'member.read_widely'`,
    [organizationId],
  )
  expect(told.rows).toEqual([{ by: dispatcher.orgUserId }])
  api.clock.now = new Date(api.clock.now.getTime() + 86_400_000)
  expect(await read(last)).toBe(200)
})

test('a registrar who reads or changes 70 profiles at once gets 60 (§22.1)', async ({ api, school }) => {
  const { instructor, organizationId } = school
  await giveDesk(api, school, instructor, 'registrar')
  const { rows } = await api.core.database.pool.query<{ id: number }>(
    `insert into membership (organization_id, search_name, renter)
     select $1, 'Renter ' || n, true from generate_series(1, 70) n returning id`,
    [organizationId],
  )
  const { pool } = api.core.database
  const read = async ({ id }: { id: number }, at: number) => {
    const by = api.as(instructor)
    const path = `/orgUsers/${id}/profile`
    return (await (at % 2 === 0 ? by.get(path) : by.patch(path, { weightPounds: 150 }))).statusCode
  }
  const statuses = await Promise.all(rows.map(read))
  expect(statuses.filter((status) => status === 200)).toHaveLength(60)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  const events = await pool.query(
    `select count(distinct subject_id)::int as read from event where membership_id = $1 and kind = 'profile.read'`,
    [instructor.orgUserId],
  )
  expect(events.rows).toEqual([{ read: 60 }])
  await expectOk(api, school.admin, 'GET', `/orgUsers/${rows[0]!.id}/profile`)
})
