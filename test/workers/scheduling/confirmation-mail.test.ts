import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { sendConfirmation } from '../../../src/shared/scheduling/scheduling.jobs.ts'
import { NOW, startTestApp, type TestApp } from '../../support/app.ts'
import type { School } from '../../support/builders.ts'
import { asked, buildListedSchool, confirm, confirmationToken, type Offered, offer } from '../../support/offerings.ts'
import { startTestWorkers, type TestWorkers } from '../../support/workers.ts'

let api: TestApp
let workers: TestWorkers
let school: School
let offering: Offered
beforeAll(async () => {
  api = await startTestApp()
  workers = await startTestWorkers(api)
})
afterAll(async () => {
  await workers.stop()
  await api.close()
})
beforeEach(async () => {
  api.clock.now = NOW
  school = await buildListedSchool(api)
  offering = await offer(api, school)
})

async function mailsTo(email: string) {
  await api.core.relay.settle()
  await workers.settled()
  return workers.mails(email)
}

describe('the mail that confirms a guest’s request', () => {
  test('says what was asked for and until when the aircraft is kept, and its link confirms it', async () => {
    const email = 'held@example.com'
    const id = await asked(api, offering, { email, resource: { id: school.plane.id } })
    const [mail, ...others] = await mailsTo(email)
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Please confirm your request: Discovery flight')
    expect(mail?.text).toContain(
      `You asked Bay Flight Academy for this flight: Discovery flight, Mon, Nov 23, 2026, 10:00–11:00 UTC, on ${school.plane.name}.`,
    )
    // Asked for at noon, kept for half an hour.
    expect(mail?.text).toContain('The aircraft is kept for you until 12:30')
    const token = /confirm-request#token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    expect(token).toBe(await confirmationToken(api, id))
    expect((await confirm(api, token)).statusCode).toBe(200)
  })

  test('promises no aircraft that is not kept', async () => {
    const email = 'loose@example.com'
    await asked(api, offering, { email })
    const [mail] = await mailsTo(email)
    expect(mail?.text).not.toMatch(/kept for you/)
  })

  test('carries nothing that whoever filled in the form wrote', async () => {
    const email = 'victim@example.com'
    await asked(api, offering, { email, name: 'WIN at evil.example', phone: 'call 555-EVIL' })
    const [mail] = await mailsTo(email)
    expect(JSON.stringify(mail)).not.toMatch(/evil|WIN/i)
  })

  test('is not sent once the request is confirmed', async () => {
    const email = 'early@example.com'
    const id = await asked(api, offering, { email })
    expect(await mailsTo(email)).toHaveLength(1)
    await confirm(api, await confirmationToken(api, id))
    const { enqueued } = await inTransaction(api.core.database, api.core.clock, async (tx) => {
      tx.enqueue(sendConfirmation, { organizationId: school.organizationId, bookingRequestId: id })
    })
    api.core.relay.publish(enqueued)
    expect(await mailsTo(email)).toHaveLength(1)
  })
})
