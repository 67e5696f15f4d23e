import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { claim, recordAnswer, recordOutcome } from '../../../src/api/http/idempotency.access.ts'
import { buildAccount } from '../../support/builders.ts'
import { asOwner } from '../../support/database.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { waitingFor } from '../../support/held-row.ts'

const test = schoolTest()
  .extend(
    'post',
    ({ api, school }) =>
      (url: string, key: string, body: unknown, token: string | undefined = school.admin.token) =>
        api.call('POST', url, { token, body, headers: { 'idempotency-key': key } }),
  )
  .extend(
    'makeGroup',
    ({ post }) =>
      (key: string, name: string, token?: string) =>
        post('/groups', key, { name }, token),
  )
  .extend('groups', ({ api, school }) => async (token = school.admin.token): Promise<string[]> => {
    const { data } = (await api.call('GET', '/groups', { token })).json()
    return data.map((group: { name: string }) => group.name)
  })
  /** Makes inserts into a table fail inside the database with an SQLSTATE; without one, as a fault of ours would. */
  .extend('breakTable', ({ api }) => async (table: string, state = 'P0001'): Promise<() => Promise<unknown>> => {
    await asOwner(
      api,
      `create or replace function fail() returns trigger language plpgsql as 'begin raise exception ''broken'' using errcode = ''${state}''; end'`,
    )
    await asOwner(api, `create trigger broken before insert on ${table} for each row execute function fail()`)
    return () => asOwner(api, `drop trigger broken on ${table}`)
  })
  /** Holds back all inserts into a table. */
  .extend('hold', ({ api }) => async (table: 'member_group') => {
    const client = await api.core.database.pool.connect()
    await client.query(`begin; lock table ${table} in exclusive mode`)
    return {
      async waitedFor(count: number) {
        await expect.poll(async () => (await waitingFor(client)).length).toBe(count)
      },
      async release() {
        await client.query('rollback')
        client.release()
      },
    }
  })
  .extend('stored', ({ api }) => async () => {
    const { rows } = await api.core.database.pool.query('select * from idempotency_key')
    return JSON.stringify(rows)
  })

let keys = 0

const newKey = () => `key-${++keys}`
const replayed = (response: { headers: object }) => 'idempotency-replayed' in response.headers

describe('a POST with an Idempotency-Key (§Conventions that hold across the interface)', () => {
  test('runs once and answers the same again', async ({ makeGroup, groups }) => {
    const key = newKey()
    const [first, second] = [await makeGroup(key, 'A'), await makeGroup(key, 'A')]
    expect([first.statusCode, second.statusCode]).toEqual([201, 201])
    expect(second.body).toBe(first.body)
    expect([replayed(first), replayed(second)]).toEqual([false, true])
    expect(second.headers['content-type']).toBe(first.headers['content-type'])
    expect(await groups()).toEqual(['A'])
  })

  test('is replayed with an answer without a body', async ({ post }) => {
    const key = newKey()
    const invite = () => post('/organizations/invite', key, { email: `someone${key}@example.com` })
    const [first, second] = [await invite(), await invite()]
    expect([first.statusCode, second.statusCode]).toEqual([204, 204])
    expect(second.body).toBe('')
    expect(replayed(second)).toBe(true)
  })

  test('is 409 with another body, address or organization', async ({ api, school, post, makeGroup, groups }) => {
    const key = newKey()
    await makeGroup(key, 'A')
    const elsewhere = await api.as(school.admin).post('/organizations', {
      name: 'B',
      details: { email: 'a@b.example', phone: '1', address: {} },
      location: { name: 'B', address: {} },
    })
    for (const response of [
      await makeGroup(key, 'B'),
      await post('/groups', key, { name: 'A', description: 'more' }),
      await post('/locations', key, { name: 'A' }),
      await makeGroup(key, 'A', elsewhere.json().data.token),
    ]) {
      expect(response.statusCode).toBe(409)
      expect(response.json().code).toBe('IDEMPOTENCY_MISMATCH')
    }
    expect(await groups()).toEqual(['A'])
  })

  test('has a key of its account alone', async ({ school, makeGroup, groups }) => {
    const key = newKey()
    await makeGroup(key, 'A')
    const other = await makeGroup(key, 'B', school.owner.token)
    expect(other.statusCode).toBe(201)
    expect(replayed(other)).toBe(false)
    expect(await groups()).toEqual(['A', 'B'])
  })

  test('sent twenty times at once runs once, and all get one answer', async ({ makeGroup, groups }) => {
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 20 }, () => makeGroup(key, 'A')))
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(20).fill(201))
    expect(answers.filter(replayed)).toHaveLength(19)
    expect(await groups()).toEqual(['A'])
  })

  test('is replayed with a refusal by the rules or the schema', async ({ makeGroup }) => {
    await makeGroup(newKey(), 'A')
    const taken = newKey()
    const [refused, again] = [await makeGroup(taken, 'A'), await makeGroup(taken, 'A')]
    expect([refused.statusCode, again.statusCode]).toEqual([409, 409])
    expect(again.body).toBe(refused.body)
    expect(replayed(again)).toBe(true)
    const wrong = newKey()
    const [invalid, still] = [await makeGroup(wrong, ''), await makeGroup(wrong, '')]
    expect([invalid.statusCode, still.statusCode]).toEqual([400, 400])
    expect(still.body).toBe(invalid.body)
    expect(replayed(still)).toBe(true)
    expect((await makeGroup(wrong, 'B')).json().code).toBe('IDEMPOTENCY_MISMATCH')
  })

  test('is not replayed with a failure of the service: the next try runs', async ({ makeGroup, breakTable }) => {
    const key = newKey()
    const mend = await breakTable('member_group')
    const failed = await makeGroup(key, 'A')
    expect(failed.statusCode).toBe(500)
    expect(failed.body).not.toMatch(/broken|insert|member_group/)
    await mend()
    const tried = await makeGroup(key, 'A')
    expect(tried.statusCode).toBe(201)
    expect(replayed(tried)).toBe(false)
  })

  test('is not replayed with a 409 without a code, which asks to try again: the next try runs', async ({
    makeGroup,
    breakTable,
  }) => {
    const key = newKey()
    const mend = await breakTable('member_group', '40001')
    const lost = await makeGroup(key, 'A')
    expect([lost.statusCode, lost.json().code]).toEqual([409, undefined])
    await mend()
    const tried = await makeGroup(key, 'A')
    expect([tried.statusCode, replayed(tried)]).toEqual([201, false])
  })

  test('that committed before its process died is answered from what was committed and does not run again', async ({
    api,
    makeGroup,
    groups,
  }) => {
    const key = newKey()
    const first = await makeGroup(key, 'A')
    await api.core.database.pool.query(
      "update idempotency_key set status = null, answer = null, locked_until = now() - interval '1 second' where key = $1",
      [key],
    )
    const second = await makeGroup(key, 'A')
    expect(second.body).toBe(first.body)
    expect(replayed(second)).toBe(true)
    expect(await groups()).toEqual(['A'])
  })

  test('whose process died before it committed runs when it is sent again, and does not wait for a minute', async ({
    api,
    makeGroup,
    groups,
  }) => {
    const key = newKey()
    await makeGroup(key, 'A')
    const { db, pool } = api.core.database
    await pool.query('delete from member_group')
    const { rows } = await pool.query(
      'delete from idempotency_key where key = $1 returning owner, key, fingerprint, organization_id as "organizationId"',
      [key],
    )
    // The dead process claimed the key and renews nothing.
    expect((await claim(db, rows[0])).kind).toBe('first')
    const again = await makeGroup(key, 'A')
    expect([again.statusCode, replayed(again)]).toEqual([201, false])
    expect(await groups()).toEqual(['A'])
  })

  test('keeps its key while it runs, however long that is', async ({ makeGroup, groups, hold }) => {
    const key = newKey()
    const held = await hold('member_group')
    const first = makeGroup(key, 'A')
    await held.waitedFor(1)
    const second = makeGroup(key, 'A')
    await pause(4_000)
    await held.waitedFor(1)
    await held.release()
    const answers = await Promise.all([first, second])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201])
    expect(answers.map(replayed)).toEqual([false, true])
    expect(await groups()).toEqual(['A'])
  })

  test('that lost its key to another while it stood still writes nothing', async ({ api }) => {
    const { db } = api.core.database
    const request = { owner: 'account:1', key: newKey(), organizationId: null, fingerprint: 'f' }
    const claimed = async () => {
      const found = await claim(db, request)
      if (found.kind !== 'first') throw new Error(found.kind)
      return found.claim
    }
    const first = await claimed()
    await db
      .updateTable('idempotency_key')
      .set({ locked_until: new Date(0) })
      .where('key', '=', request.key)
      .execute()
    // A claim lasts seconds, so no other has the same millisecond.
    await pause(5)
    const second = await claimed()
    await expect(recordOutcome(db, first, { id: 1 })).rejects.toThrow('still running')
    await recordAnswer(db, first, 201, 'of the first')
    await recordOutcome(db, second, { id: 2 })
    await recordAnswer(db, second, 201, 'of the second')
    expect(await claim(db, request)).toEqual({ kind: 'answered', status: 201, answer: 'of the second' })
  })

  test('has a key that is free again after a day', async ({ api, makeGroup, groups }) => {
    const key = newKey()
    await makeGroup(key, 'A')
    await api.core.database.pool.query(
      "update idempotency_key set created_at = now() - interval '25 hours' where key = $1",
      [key],
    )
    const next = await makeGroup(key, 'B')
    expect(next.statusCode).toBe(201)
    expect(await groups()).toEqual(['A', 'B'])
  })

  test.for(['', 'with space', 'x'.repeat(256), 'ümlaut'])(
    'with the malformed key %j is 400',
    async (key, { makeGroup }) => {
      const response = await makeGroup(key, 'A')
      expect(response.statusCode).toBe(400)
      expect(response.json().message).toMatch(/^Idempotency-Key: /)
    },
  )

  test('does not keep the refusal of a caller without a token or a role', async ({ api, school, makeGroup }) => {
    const key = newKey()
    expect((await makeGroup(key, 'A', 'no token')).statusCode).toBe(401)
    expect((await makeGroup(key, 'A', school.student.token)).statusCode).toBe(403)
    await api.core.database.pool.query('update membership set admin = true where id = $1', [school.student.orgUserId])
    expect((await makeGroup(key, 'A', school.student.token)).statusCode).toBe(201)
  })
})

describe('a secret', () => {
  test('in an answer is not stored: the answer is made again, and the work is not done again', async ({
    api,
    post,
    stored,
  }) => {
    const { token } = await buildAccount(api)
    const key = newKey()
    const body = {
      name: 'Once',
      details: { email: 'a@b.example', phone: '1', address: {} },
      location: { name: 'B', address: {} },
    }
    const [first, second] = [
      await post('/organizations', key, body, token),
      await post('/organizations', key, body, token),
    ]
    expect([first.statusCode, second.statusCode]).toEqual([201, 201])
    expect(replayed(second)).toBe(true)
    expect(second.json().data.organization.id).toBe(first.json().data.organization.id)
    expect(await stored()).not.toContain(first.json().data.token)
    expect((await api.call('GET', '/organizations', { token })).json().data).toHaveLength(1)
  })

  test('in a body leaves nothing behind that a guess could be checked against', async ({ api, stored }) => {
    const body = { name: 'Kay', email: 'kay@example.com', password: 'a long way to Tipperary' }
    const key = newKey()
    const first = await api.call('POST', '/users', { body, headers: { 'idempotency-key': key } })
    const second = await api.call('POST', '/users', { body, headers: { 'idempotency-key': key } })
    expect([first.statusCode, second.statusCode]).toEqual([201, 201])
    expect(second.json().data.user.id).toBe(first.json().data.user.id)
    const { createHash } = await import('node:crypto')
    const plain = createHash('sha256')
      .update(`POST /users null\n${JSON.stringify(body)}`)
      .digest('base64url')
    expect(await stored()).not.toContain(plain)
    expect(await stored()).not.toContain(body.password)
  })
})

test('an Idempotency-Key on another method is ignored', async ({ api, school }) => {
  const key = newKey()
  const patch = (name: string) =>
    api.call('PATCH', '/organizations', {
      token: school.admin.token,
      body: { name },
      headers: { 'idempotency-key': key },
    })
  expect((await patch('One')).json().data.name).toBe('One')
  expect((await patch('Two')).json().data.name).toBe('Two')
})
