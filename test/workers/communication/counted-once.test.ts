import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { postpone } from '../../../src/shared/billing/invoices/postpone-notice.access.ts'
import type { Mail } from '../../../src/shared/platform/adapters/mail/mailer.port.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import type { JobRun, JobTools } from '../../../src/shared/platform/jobs/job-tools.ts'
import { type MailMessage, sendMail } from '../../../src/workers/platform/send-mail.ts'
import { endClaims } from '../../support/deliveries.ts'
import { schoolTest } from '../../support/fixtures.ts'

const test = schoolTest({ env: { RATE_LIMIT_FACTOR: '1' } })
  .extend('sent', () => [] as Mail[])
  .extend('tools', ({ api, sent }) => {
    const { core, log } = api
    const transaction: JobTools['transaction'] = async (work) =>
      (await inTransaction(core.database, core.clock, work)).result
    const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} }
    return { ...core, log, transaction, mailer }
  })

const runOf = (organizationId: number): JobRun => ({
  id: randomUUID(),
  organizationId,
  attempt: 1,
  attempts: 15,
  lastAttempt: false,
})

describe('a mail counts once towards the limits of a day', () => {
  test('when its worker is killed, or gets no connection, and the job runs again as the first attempt', async ({
    api,
    school,
    tools,
    sent,
  }) => {
    const { organizationId } = school
    const letter: MailMessage = {
      to: { name: 'Ivy', address: 'ivy@example.com' },
      subject: 'You are invited',
      paragraphs: [],
      footer: '',
      organizationId,
      group: 'joining',
      reason: 'owed',
      unproven: true,
    }
    const run = runOf(organizationId)
    const away = async () => {
      throw new Error('timeout exceeded when trying to connect')
    }
    for (let kills = 0; kills < 4; kills++) {
      await expect(sendMail({ ...tools, mailer: { ...tools.mailer, send: away } }, run, letter)).rejects.toThrow(
        'timeout',
      )
      await endClaims(api.core.database.pool)
    }
    await sendMail(tools, run, letter)
    expect(sent).toHaveLength(1)
    const { rows } = await api.core.database.pool.query(
      "select scope, mails from mail_count where scope in ('organization', 'owed_address', 'all_mail') order by scope",
    )
    expect(rows).toEqual(['all_mail', 'organization', 'owed_address'].map((scope) => ({ scope, mails: 1 })))
    await sendMail(tools, runOf(organizationId), letter)
    expect(sent).toHaveLength(2)
  })

  test('that is refused is refused again, when its first run could not write that', async ({
    api,
    school,
    tools,
    sent,
  }) => {
    const { organizationId } = school
    await api.core.database.pool.query('delete from mail_count')
    const day = api.clock.now.toISOString().slice(0, 10)
    await api.core.database.pool.query(
      "insert into mail_count (scope, key, day, mails) values ('all_mail', $1, $2, 2000)",
      [String(organizationId), day],
    )
    const letter: MailMessage = {
      to: { name: 'Sam', address: school.student.email },
      subject: 'Booked',
      paragraphs: [],
      footer: '',
      organizationId,
      group: 'reservation_created',
    }
    await expect(sendMail(tools, { ...runOf(organizationId), attempt: 2 }, letter)).rejects.toThrow('daily limit')
    expect(sent).toEqual([])
  })

  test('about a charge, too: it is not postponed by earlier runs of its job', async ({ school, tools }) => {
    const { organizationId, student } = school
    const payload = { organizationId, reservationId: 1, orgUserId: student.orgUserId, currency: 'usd', sources: [] }
    const mail = { jobId: randomUUID(), address: student.email }
    const postponed = () => tools.transaction((tx) => postpone(tx, payload as never, mail, 1))
    for (let runs = 0; runs < 5; runs++) expect(await postponed()).toBe(false)
  })
})
