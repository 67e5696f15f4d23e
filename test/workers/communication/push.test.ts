import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notify } from '../../../src/shared/communication/notifications/notify.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { type StartedBackend, startBackend, testedBackends } from '../../support/backends.ts'
import { buildSchool, type School } from '../../support/builders.ts'
import { type FcmFault, type FcmSimulator, startFcmSimulator } from '../../support/fcm-simulator.ts'
import { buildInvoice } from '../../support/records.ts'
import { startTestWorkers, type TestWorkers } from '../../support/workers.ts'

describe.each(testedBackends())('pushes through Firebase, queues in %s (decision 12)', (kind) => {
  let fcm: FcmSimulator
  let backend: StartedBackend
  let api: TestApp
  let workers: TestWorkers
  let school: School
  const log: string[] = []
  beforeAll(async () => {
    fcm = await startFcmSimulator()
    backend = await startBackend(kind)
    const firebase = {
      FIREBASE_SERVICE_ACCOUNT: JSON.stringify(fcm.serviceAccount),
      FIREBASE_API_BASE: fcm.url,
      LOG_LEVEL: 'info',
    }
    api = await startTestApp({ env: { ...backend.env, ...firebase }, logTo: { write: (line) => log.push(line) } })
    workers = await startTestWorkers(api)
  })
  afterAll(async () => {
    await workers.stop()
    await api.close()
    await backend.stop()
    await fcm.close()
  })
  beforeEach(async () => {
    school = await buildSchool(api)
  })

  /** Gives the renter so many devices. Answers their tokens. */
  async function devices(count: number): Promise<string[]> {
    const tokens = Array.from({ length: count }, (_, index) => `canary-${school.renter.orgUserId}-${index}`)
    await api.core.database.db
      .insertInto('push_device')
      .values(tokens.map((token) => ({ account_id: school.renter.accountId, token })))
      .execute()
    return tokens
  }

  /** Tells the renter of an invoice, and waits until everything is done or given up. Answers the push jobs. */
  async function notifyRenter() {
    const { organizationId, renter } = school
    const subjectId = await buildInvoice(api, school, { payer: renter })
    await workers.run((tx) => notify(tx, { organizationId, kind: 'invoice_raised', subjectId, causedBy: null }))
    const jobs = await api.core.queues.queue('push').getJobs(['completed', 'failed'])
    return jobs.filter(({ data }) => data.organizationId === organizationId)
  }

  async function registered(): Promise<string[]> {
    const rows = await api.core.database.db
      .selectFrom('push_device')
      .select('token')
      .where('account_id', '=', school.renter.accountId)
      .orderBy('id')
      .execute()
    return rows.map(({ token }) => token)
  }

  const triesOf = (tokens: string[]) => tokens.map((token) => fcm.tries.filter((one) => one === token).length)

  test('1,200 devices are reached in three batches, each once', async () => {
    const tokens = await devices(1_200)
    const jobs = await notifyRenter()
    expect(jobs.map(({ data }) => data.to.length).sort()).toEqual([200, 500, 500])
    expect(new Set(triesOf(tokens))).toEqual(new Set([1]))
    expect(fcm.taken.filter(({ token }) => tokens.includes(token))).toHaveLength(1_200)
  })

  test('tokens that are gone are dropped, the others stay', async () => {
    const [gone, phone, mistyped] = await devices(3)
    fcm.answer(gone!, 'unregistered')
    fcm.answer(mistyped!, 'no_such_token')
    await notifyRenter()
    expect(await registered()).toEqual([phone])
    expect(triesOf([gone!, phone!, mistyped!])).toEqual([1, 1, 1])
  })

  test('an account of the wrong project loses no token: the job is given up and stays to be looked at', async () => {
    const tokens = await devices(2)
    for (const token of tokens) fcm.answer(token, 'other_sender')
    const [job] = await notifyRenter()
    expect(job?.failedReason).toBe('push: 2 of 2 not delivered (sender-id-mismatch)')
    expect(await registered()).toEqual(tokens)
    expect(triesOf(tokens)).toEqual([1, 1])
  })

  test.each(['quota', 'internal', 'unavailable'] as FcmFault[])(
    'a device that meets %s is tried again, and it alone',
    async (fault) => {
      const [phone, unlucky, gone] = await devices(3)
      fcm.answer(unlucky!, fault)
      fcm.answer(gone!, 'unregistered')
      const jobs = await notifyRenter()
      expect(triesOf([phone!, unlucky!, gone!])).toEqual([1, 2, 1])
      expect(fcm.taken.filter(({ token }) => token === unlucky)).toHaveLength(1)
      expect(jobs.map((job) => job.attemptsMade)).toEqual([2])
      expect(await registered()).toEqual([phone, unlucky])
    },
  )

  test('a job that runs again pushes to nobody twice', async () => {
    const [phone] = await devices(1)
    const [job] = await notifyRenter()
    await job!.retry('completed')
    await expect.poll(() => job!.getState()).toBe('completed')
    await workers.settled()
    expect(triesOf([phone!])).toEqual([1])
  })

  test('what is refused for good is given up at once and stays to be looked at; tried again from there, only the rest goes out', async () => {
    const [phone, refused] = await devices(2)
    fcm.answer(refused!, 'bad_argument')
    const [job] = await notifyRenter()
    expect(job?.failedReason).toBe('push: 1 of 2 not delivered (invalid-argument)')
    expect(triesOf([phone!, refused!])).toEqual([1, 1])
    await job!.retry('failed')
    await expect.poll(() => job!.getState()).toBe('completed')
    await workers.settled()
    expect(triesOf([phone!, refused!])).toEqual([1, 2])
    expect(fcm.shownOn(refused!)).toEqual(['Invoice 31: $185.00'])
  })

  test('no token is in the log, in the jobs or in what is owed', async () => {
    const [unlucky] = await devices(2)
    fcm.answer(unlucky!, 'bad_argument')
    const jobs = await notifyRenter()
    const { rows } = await api.core.database.pool.query('select * from outbox')
    expect(log.join('')).toContain('not delivered')
    for (const text of [log.join(''), JSON.stringify(jobs), JSON.stringify(rows)]) expect(text).not.toContain('canary')
  })
})
