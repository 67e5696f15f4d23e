import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MailCatcher, startMailCatcher } from '../../local/mail/mail-catcher.ts'
import type { QueueName } from '../../src/shared/platform/contracts/define-job.ts'
import { inTransaction } from '../../src/shared/platform/db/transaction.ts'
import { sweepOffers } from '../../src/shared/scheduling/waitlist/expire-offer.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type StartedBackend, startBackend, testedBackends } from '../support/backends.ts'
import { buildMember, buildSchool, type Member } from '../support/builders.ts'
import { endClaims } from '../support/deliveries.ts'
import { eventually, until } from '../support/eventually.ts'
import { bookDual } from '../support/flights.ts'
import { type HeldRow, holdLock, holdRow } from '../support/held-row.ts'
import { startWorkerProcess } from '../support/processes.ts'
import { cancel, enter } from '../support/waitlist.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

describe.each(testedBackends())('a place whose workers are killed at each step, queues in %s (§Waitlist)', (kind) => {
  let queues: StartedBackend
  let mails: MailCatcher
  let api: TestApp
  beforeAll(async () => {
    queues = await startBackend(kind)
    mails = await startMailCatcher({ smtpPort: 0, webPort: 0, host: '127.0.0.1' })
    api = await startTestApp({ realTime: true, env: { ...queues.env, SMTP_URL: mails.smtpUrl } })
  })
  afterAll(async () => {
    await api.close()
    await mails.close()
    await queues.stop()
  })

  /** Kills a worker of these queues when it waits for what is held. */
  async function killAt(queue: QueueName, held: HeldRow): Promise<void> {
    const victim = await startWorkerProcess(api.config, {}, [queue])
    await until(held.waitedFor)
    await victim.kill()
    await held.release()
  }

  const rows = async (query: string, id: number) => (await api.core.database.pool.query(query, [id])).rows
  const offersTo = ({ orgUserId }: Member) =>
    rows('select status from offer where membership_id = $1 order by id', orgUserId)
  const noticesTo = ({ orgUserId }: Member) =>
    rows(`select title from notification where membership_id = $1 and kind = 'slot_offered'`, orgUserId)
  const mailsTo = ({ email }: Member) =>
    mails.inbox.all().filter(({ to, subject }) => to[0]?.address === email && subject.startsWith('A place for you'))

  test('is offered once to each who waits, in their order, with one notice and one mail', async () => {
    const school = await buildSchool(api, { settings: { quietHours: null } })
    const { organizationId, student: first } = school
    const [second, other] = [
      await buildMember(api, organizationId, ['student']),
      await buildMember(api, organizationId, ['student']),
    ]
    const start = Math.ceil(Date.now() / DAY_MS + 7) * DAY_MS + 10 * HOUR_MS
    const times = { start: new Date(start).toISOString(), end: new Date(start + 2 * HOUR_MS).toISOString() }
    const booked = await bookDual(api, school, { ...times, students: [other] })
    const [entry, next] = [
      await enter(api, school.dispatcher, { windows: [times], orgUserId: first.orgUserId }),
      await enter(api, school.dispatcher, { windows: [times], orgUserId: second.orgUserId }),
    ]
    await cancel(api, school, booked)

    // Making it: before the run, and with the offer about to be written.
    await killAt('judging', await holdLock(api, `offer places ${organizationId}`))
    await killAt('judging', await holdRow(api, 'waitlist_entry', entry))
    expect(await offersTo(first)).toEqual([])
    const judging = await startWorkerProcess(api.config, {}, ['judging'])
    await eventually(
      () => offersTo(first),
      ({ length }) => length === 1,
    )
    await judging.kill()

    // Telling it: with the notice about to be written, and in the middle of the mail.
    await killAt('notifications', await holdRow(api, 'membership', first.orgUserId))
    mails.faults.add({ recipient: first.email, kind: 'hang', times: 1 })
    const mailing = await startWorkerProcess(api.config, {}, ['notifications', 'email'])
    await until(() => mails.faults.all().length === 0)
    await mailing.kill()
    expect([await noticesTo(first), mailsTo(first)]).toMatchObject([[{}], []])
    await endClaims(api.core.database.pool)
    const telling = await startWorkerProcess(api.config, {}, ['notifications', 'email'])
    await eventually(
      async () => mailsTo(first),
      ({ length }) => length === 1,
    )
    await telling.kill()

    // Ending it, and offering the place to the next.
    await api.core.database.pool.query(
      `update offer set made_at = made_at - interval '2 hours', expires_at = expires_at - interval '2 hours',
         holds_until = holds_until - interval '2 hours' where organization_id = $1`,
      [organizationId],
    )
    const { enqueued } = await inTransaction(api.core.database, api.core.clock, sweepOffers)
    api.core.relay.publish(enqueued)
    await killAt('judging', await holdRow(api, 'waitlist_entry', entry))
    await killAt('judging', await holdRow(api, 'waitlist_entry', next))

    const last = await startWorkerProcess(api.config)
    await eventually(
      async () => mailsTo(second),
      ({ length }) => length === 1,
    )
    expect(await last.terminate()).toBe(0)
    expect([await offersTo(first), await offersTo(second)]).toEqual([[{ status: 'expired' }], [{ status: 'open' }]])
    for (const who of [first, second]) {
      expect(await noticesTo(who)).toHaveLength(1)
      expect(mailsTo(who)).toHaveLength(1)
    }
    const events = await rows(
      `select kind, count(*)::int from event where organization_id = $1 and kind like 'offer.%' group by kind order by kind`,
      organizationId,
    )
    expect(events).toEqual([
      { kind: 'offer.expired', count: 1 },
      { kind: 'offer.made', count: 2 },
    ])
  })
})
