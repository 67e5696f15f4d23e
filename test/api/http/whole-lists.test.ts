import { expect } from 'vitest'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { countStatements } from '../../support/statements.ts'

const test = sharedSchoolTest()
  .extend('users', ({ api, school }) => async (query = ''): Promise<Answer> => {
    const { headers, ...response } = await api.call('GET', `/users${query}`, { token: school.student.token })
    expect([response.statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    const { data } = response.json<{ data: { id: number }[] }>()
    const keys = new Set(data.map((row) => Object.keys(row).join()))
    expect(keys.size).toBe(1)
    return {
      ids: data.map(({ id }) => id),
      keys: [...keys].join(),
      total: headers['x-total-count'],
      length: headers['content-length'],
    }
  })
  .extend('addMembers', ({ api, school }) => async (count: number): Promise<void> => {
    await api.core.database.pool.query(
      `with made as (
       insert into account (name, email, password_hash, tokens_valid_from)
       select 'Pilot ' || n % 100, 'pilot.' || gen_random_uuid() || '@example.com', '-', 'epoch'
       from generate_series(1, $2::int) n returning id)
     insert into membership (organization_id, account_id, student) select $1, id, true from made`,
      [school.organizationId, count],
    )
  })

interface Answer {
  ids: number[]
  keys: string
  total: unknown
  length: unknown
}

test('users are answered whole and uncounted without a limit, and in pages with it', async ({ api, users }) => {
  const whole = await users()
  expect([whole.ids.length, whole.total]).toEqual([7, '7'])
  const [first, second] = [await users('?limit=4'), await users('?limit=4&offset=4')]
  expect([...first.ids, ...second.ids]).toEqual(whole.ids)
  expect([first.total, second.total]).toEqual(['7', '7'])
  expect((await users('?offset=2')).ids).toEqual(whole.ids.slice(2))
  expect((await users('?sort=id&order=desc')).ids).toEqual([...whole.ids].sort((a, b) => b - a))
  const ofPage = await countStatements(api, () => users('?limit=7'))
  const ofWhole = await countStatements(api, () => users())
  expect(ofPage.statements.filter((text) => /count\(\*\)/.test(text))).toHaveLength(1)
  expect(ofWhole.statements.filter((text) => /count\(\*\)/.test(text))).toEqual([])
  expect(ofWhole.statements).toHaveLength(ofPage.statements.length - 1)
})

test('any number of users is sent as it is read, a thousand at a time, sorted too, each once', async ({
  api,
  users,
  addMembers,
}) => {
  await addMembers(4_993)
  const full = await users()
  expect([full.ids.length, new Set(full.ids).size, full.total]).toEqual([5_000, 5_000, '5000'])
  await addMembers(6_234)
  const whole = await users()
  expect([whole.ids.length, new Set(whole.ids).size]).toEqual([11_234, 11_234])
  expect([whole.total, whole.length]).toEqual(['10000', undefined])
  const page = await users('?offset=10500')
  expect(whole.ids.slice(10_500)).toEqual(page.ids)
  expect(whole.keys).toBe(page.keys)
  const { result, statements } = await countStatements(api, () => users('?sort=id&order=desc'))
  expect(result).toEqual({ ...whole, ids: [...whole.ids].sort((a, b) => b - a) })
  expect(statements.filter((text) => text.includes('= any('))).toHaveLength(12)
})
