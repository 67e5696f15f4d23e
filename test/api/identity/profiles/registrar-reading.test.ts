import { expect } from 'vitest'
import { schoolTest } from '../../../support/fixtures.ts'
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
