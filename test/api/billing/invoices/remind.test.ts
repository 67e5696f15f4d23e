import { describe, expect } from 'vitest'
import { remindSomeOverdue } from '../../../../src/shared/billing/invoices/remind-overdue.ts'
import { inTransaction } from '../../../../src/shared/platform/db/transaction.ts'
import { NOW } from '../../../support/app.ts'
import { buildSchool } from '../../../support/builders.ts'
import { asOwner } from '../../../support/database.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { runFanOut } from '../../../support/outbox.ts'
import { buildGuest, buildInvoice } from '../../../support/records.ts'

const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000)

const test = apiTest()
  .extend('school', { auto: true }, async ({ api }) => {
    api.clock.now = NOW
    await asOwner(api, 'truncate invoice, outbox cascade')
    const school = await buildSchool(api)

    return school
  })

  .extend(
    'remind',
    ({ school, api }) =>
      (id: number, who = school.admin) =>
        api.as(who).post(`/invoices/${id}/remind`),
  )

  /** The invoices whose reminders are in the outbox, in order. */
  .extend('owed', ({ api }) => async (): Promise<number[]> => {
    await runFanOut(api)
    const { rows } = await api.core.database.pool.query<{ id: number }>(
      `select (payload ->> 'subjectId')::int as id from outbox where job = 'notifications.fan-out-notification'
      and payload ->> 'kind' = 'invoice_reminder' order by created_at, id`,
    )
    return rows.map(({ id }) => id)
  })

  .extend(
    'run',
    ({ api }) =>
      async () =>
        (await inTransaction(api.core.database, api.core.clock, remindSomeOverdue)).result,
  )

  .extend('at', ({ api, run }) => async (hour: number): Promise<number> => {
    api.clock.now = hours(hour)
    return run()
  })

describe('a reminder of an invoice by an admin (§Invoices, POST remind)', () => {
  test('enqueues one message to the payer and answers its time', async ({ api, school, remind, owed }) => {
    const id = await buildInvoice(api, school, { payer: school.student })
    const answer = await remind(id)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({ id, remindedAt: NOW.toISOString() })
    expect(await owed()).toEqual([id])
  })

  test('is refused within the organization’s interval and allowed after it', async ({ api, school, remind, owed }) => {
    const id = await buildInvoice(api, school, { payer: school.student })
    await remind(id)
    api.clock.now = new Date(hours(24).getTime() - 1)
    const refused = await remind(id)
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'The payer was reminded less than 24 hours ago.',
    ])
    api.clock.now = hours(24)
    expect((await remind(id)).statusCode).toBe(200)
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { reminderIntervalHours: 1 } })
    api.clock.now = hours(25)
    expect((await remind(id)).statusCode).toBe(200)
    expect(await owed()).toEqual([id, id, id])
  })

  test('is sent ten times in all, those of overdue invoices among them', async ({ api, school, remind, owed, at }) => {
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { reminderIntervalHours: 1 } })
    const id = await buildInvoice(api, school, { payer: school.student, dueAt: NOW })
    // By itself at 24 hours, then nine by hand, an hour apart.
    expect(await at(24)).toBe(1)
    for (let hour = 25; hour <= 33; hour++) {
      api.clock.now = hours(hour)
      expect((await remind(id)).statusCode).toBe(200)
    }
    api.clock.now = hours(34)
    const refused = await remind(id)
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'The payer was reminded 10 times. Please call or write to them.',
    ])
    expect(await at(24 * 7)).toBe(0)
    expect(await owed()).toHaveLength(10)
  })

  test('is sent once when two ask at once', async ({ api, school, remind, owed }) => {
    const id = await buildInvoice(api, school, { payer: school.student })
    const answers = await Promise.all([remind(id), remind(id), remind(id)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400])
    expect(await owed()).toEqual([id])
  })

  test.for([
    ['paid', 'The invoice is paid already.'],
    ['void', 'The invoice is void.'],
    ['pending', 'The payment processor does not have the invoice yet.'],
  ] as const)('is refused for a %s invoice', async ([status, message], { api, school, remind }) => {
    const id = await buildInvoice(api, school, { payer: school.student, status })
    const refused = await remind(id)
    expect([refused.statusCode, refused.json().message]).toEqual([400, message])
  })
})

describe('the automatic reminder of an overdue invoice', () => {
  const dueAt = NOW

  /** Runs at so many hours past the due date; answers how many were reminded. */

  test('is sent at 1, 7 and 14 days, once each', async ({ api, school, at, owed }) => {
    const id = await buildInvoice(api, school, { payer: school.student, dueAt })
    const reminded: number[] = []
    for (let hour = 0; hour <= 24 * 40; hour += 2) if ((await at(hour)) > 0) reminded.push(hour)
    expect(reminded).toEqual([24, 24 * 7, 24 * 14])
    expect(await owed()).toEqual([id, id, id])
  })

  test('is sent once by ten workers at once', async ({ api, school, run, owed }) => {
    for (let number = 1; number <= 30; number++) {
      await buildInvoice(api, school, { payer: school.student, number, dueAt })
    }
    api.clock.now = hours(30)
    const counts = await Promise.all(Array.from({ length: 8 }, run))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30)
    expect(new Set(await owed()).size).toBe(30)
    expect(await owed()).toHaveLength(30)
  })

  test('is a single one for an invoice that was overlooked for long', async ({ api, school, at }) => {
    await buildInvoice(api, school, { payer: school.student, dueAt })
    expect(await at(24 * 100)).toBe(1)
    expect(await at(24 * 200)).toBe(0)
  })

  test('waits when somebody has just sent one', async ({ api, school, remind, at }) => {
    const id = await buildInvoice(api, school, { payer: school.student, dueAt })
    api.clock.now = hours(20)
    await remind(id)
    expect(await at(24)).toBe(0)
    expect(await at(43)).toBe(0)
    expect(await at(44)).toBe(1)
  })

  test('starts again when the due date moves', async ({ api, school, at }) => {
    const id = await buildInvoice(api, school, { payer: school.student, dueAt })
    expect(await at(24)).toBe(1)
    await expectOk(api, school.admin, 'PATCH', `/invoices/${id}`, { dueAt: hours(48).toISOString() })
    expect(await at(71)).toBe(0)
    expect(await at(72)).toBe(1)
  })

  test('is not sent for what is paid, void, pending or not due', async ({ api, school, at }) => {
    for (const status of ['paid', 'void', 'pending'] as const) {
      await buildInvoice(api, school, { payer: school.student, status, number: null, dueAt })
    }
    await buildInvoice(api, school, { payer: school.student, number: 1, dueAt: null })
    expect(await at(24 * 30)).toBe(0)
  })

  test('is sent to guests too', async ({ api, school, at, owed }) => {
    const guestId = await buildGuest(api, school, 'gia@example.com')
    const id = await buildInvoice(api, school, { payer: { guestId }, dueAt })
    expect(await at(25)).toBe(1)
    expect(await owed()).toEqual([id])
  })
})
