import { describe, expect } from 'vitest'
import { type CallResult, done, later, never } from '../../../src/shared/platform/adapters/call-result.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { deliver, deliverBatch } from '../../../src/shared/platform/deliveries/deliver.ts'
import { countDeliveries } from '../../../src/shared/platform/jobs/counts.queries.ts'
import type { JobRun, JobTools } from '../../../src/shared/platform/jobs/job-tools.ts'
import { buildSchool } from '../../support/builders.ts'
import { endClaims } from '../../support/deliveries.ts'
import { apiTest } from '../../support/fixtures.ts'

const test = apiTest()
  .extend('tools', { scope: 'file', auto: true }, async ({ api }) => {
    const { core, log } = api
    const transaction: JobTools['transaction'] = async (work) =>
      (await inTransaction(core.database, core.clock, work)).result
    return { ...core, log, transaction }
  })
  .extend('rowOf', ({ api }) => async ({ id }: JobRun) => {
    const { rows } = await api.core.database.pool.query(
      `select key, attempts, outcome, sent_at is not null as sent, claimed_until is not null as claimed
       from delivery where subject = $1`,
      [id],
    )
    return rows[0]
  })
  .extend('countsOf', ({ api }) => async (wanted: string) => {
    return (await countDeliveries(api.core.database.pool)).find(({ kind }) => kind === wanted)
  })

const ATTEMPTS = 3
let runs = 0
function newRun(given: Partial<JobRun> = {}): JobRun {
  runs += 1
  return { id: `job-${runs}`, organizationId: null, attempt: 1, attempts: ATTEMPTS, lastAttempt: false, ...given }
}

/** A call that is under way until it is answered. */
function heldCall() {
  const { promise, resolve } = Promise.withResolvers<CallResult>()
  const begun = Promise.withResolvers<void>()
  const call = () => {
    begun.resolve()
    return promise
  }
  return { call, begun: begun.promise, answer: resolve }
}

const failing = () => Promise.reject(new Error('unreachable'))
const succeeding = async () => done()

describe('a delivery (decision 15)', () => {
  test('is called once by two runs at a time: the second looks again and finds it done', async ({ tools, rowOf }) => {
    const run = newRun()
    const held = heldCall()
    const first = deliver(tools, run, { kind: 'mail', call: held.call })
    await held.begun
    const second = () => deliver(tools, run, { kind: 'mail', call: failing })
    await expect(second()).rejects.toMatchObject({ name: 'DeliveryBusy', waitMs: 1_000 })
    held.answer(done())
    await first
    await second()
    expect(await rowOf(run)).toMatchObject({ attempts: 1, outcome: 'delivered', sent: true, claimed: false })
  })

  test('of twenty runs that start together is called once', async ({ tools }) => {
    const run = newRun()
    let calls = 0
    const call = async () => {
      calls += 1
      return done()
    }
    await Promise.allSettled(Array.from({ length: 20 }, () => deliver(tools, run, { kind: 'mail', call })))
    expect(calls).toBe(1)
  })

  test('whose worker was killed at the call is called again under the same key when the claim ends', async ({
    api,
    tools,
    rowOf,
  }) => {
    const run = newRun()
    const killed = heldCall()
    const late = deliver(tools, run, { kind: 'mail', call: killed.call })
    await killed.begun
    const { key } = await rowOf(run)
    await expect(deliver(tools, run, { kind: 'mail', call: succeeding })).rejects.toThrow('Another run')
    await endClaims(api.core.database.pool)
    const claims: unknown[] = []
    await deliver(tools, run, {
      kind: 'mail',
      async call(claim) {
        claims.push(claim)
        return done()
      },
    })
    expect(claims).toEqual([{ subject: run.id, key, attempt: 2 }])
    expect(key).toMatch(/^[0-9a-f]{32}$/)
    // The first run was only paused, and its call fails now: the mark of the other run stays.
    killed.answer(later('reset'))
    await expect(late).rejects.toThrow('mail: not delivered (reset)')
    expect(await rowOf(run)).toMatchObject({ attempts: 2, outcome: 'delivered' })
  })

  test('that fails is called again at once, and given up at the last attempt, which is written down', async ({
    tools,
    rowOf,
  }) => {
    const run = newRun({ attempts: 2 })
    const written: string[] = []
    const delivery = { kind: 'mail', call: failing, onGivenUp: async () => void written.push('given up') } as const
    await expect(deliver(tools, run, delivery)).rejects.toThrow(/^unreachable$/)
    expect(await rowOf(run)).toMatchObject({ attempts: 1, outcome: null, claimed: false })
    expect(written).toEqual([])
    // The queue was emptied and counts from one again: the row does not.
    await expect(deliver(tools, run, delivery)).rejects.toThrow('mail: not delivered (unreachable)')
    expect(await rowOf(run)).toMatchObject({ attempts: 2, outcome: 'given_up', sent: false })
    expect(written).toEqual(['given up'])
  })

  test('that is refused is given up at once; run again by an operator, it is called again', async ({
    tools,
    rowOf,
  }) => {
    const run = newRun()
    const refused = deliver(tools, run, { kind: 'mail', call: async () => never('550 5.1.1') })
    await expect(refused).rejects.toThrow('mail: not delivered (550 5.1.1)')
    expect(await rowOf(run)).toMatchObject({ outcome: 'given_up' })
    await deliver(tools, run, { kind: 'mail', call: succeeding })
    expect(await rowOf(run)).toMatchObject({ attempts: 2, outcome: 'delivered' })
  })

  test('writes what the call brought about together with its mark, or neither', async ({ tools, rowOf }) => {
    const run = newRun()
    const call = async () => done(async () => Promise.reject(new Error('the record is locked')))
    await expect(deliver(tools, run, { kind: 'meeting', call })).rejects.toThrow('the record is locked')
    expect(await rowOf(run)).toMatchObject({ sent: false })
  })

  test('of a batch is marked by itself: the next run calls for the rest', async ({ tools }) => {
    const run = newRun()
    const subjects = ['a', 'b', 'c'].map((name) => `${run.id}/${name}`)
    const answers = new Map<string, CallResult>([[subjects[1]!, later('busy')]])
    const called: string[][] = []
    const batch = () =>
      deliverBatch(tools, run, {
        kind: 'push',
        subjects,
        async call(claims) {
          called.push(claims.map(({ subject }) => subject).sort())
          return claims.map(({ subject }) => answers.get(subject) ?? done())
        },
      })
    await expect(batch()).rejects.toThrow('push: 1 of 3 not delivered (busy)')
    answers.clear()
    await batch()
    await batch()
    expect(called).toEqual([subjects, [subjects[1]]])
  })

  test('of an organization that is gone is not called', async ({ api, tools, rowOf }) => {
    const school = await buildSchool(api)
    const run = newRun({ organizationId: school.organizationId })
    await api.call('DELETE', '/organizations', { token: school.owner.token })
    await deliver(tools, run, { kind: 'mail', call: failing })
    expect(await rowOf(run)).toBeUndefined()
  })
})

test('deliveries are counted by kind for the operators', async ({ api, tools, countsOf }) => {
  const before = await countsOf('payments.refund')
  await deliver(tools, newRun(), { kind: 'payments.refund', call: succeeding })
  const run = newRun()
  await expect(deliver(tools, run, { kind: 'payments.refund', call: failing })).rejects.toThrow()
  await deliver(tools, run, { kind: 'payments.refund', call: succeeding })
  await expect(deliver(tools, newRun(), { kind: 'payments.refund', call: async () => never('no') })).rejects.toThrow()
  expect(before).toBeUndefined()
  expect(await countsOf('payments.refund')).toEqual({
    kind: 'payments.refund',
    delivered: 2,
    retried: 1,
    givenUp: 1,
    open: 0,
  })
  const headers = { authorization: `Basic ${btoa('ops:ops-password')}` }
  const { body } = await api.call('GET', '/metrics', { headers })
  expect(body).toContain('flightline_deliveries{kind="payments.refund",state="given_up"} 1')
})
