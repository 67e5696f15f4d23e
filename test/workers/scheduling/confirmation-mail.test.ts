import { describe, expect } from 'vitest'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { sendConfirmation } from '../../../src/shared/scheduling/scheduling.jobs.ts'
import { NOW } from '../../support/app.ts'
import { apiTest } from '../../support/fixtures.ts'
import { asked, buildListedSchool, confirm, confirmationToken, offer } from '../../support/offerings.ts'
import { startTestWorkers } from '../../support/workers.ts'

const test = apiTest()
  .extend('workers', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const workers = await startTestWorkers(api)
    onCleanup(() => workers.stop())

    return workers
  })
  .extend('school', { auto: true }, async ({ api }) => {
    api.clock.now = NOW
    const school = await buildListedSchool(api)

    return school
  })
  .extend('offering', ({ api, school }) => offer(api, school))

  .extend('mailsTo', ({ api, workers }) => async (email: string) => {
    await api.core.relay.drain()
    await workers.settled()
    return workers.mails(email)
  })

describe('the mail that confirms a guest’s request (decision 13)', () => {
  test('says what was asked for and until when the aircraft is kept, and its link confirms it', async ({
    api,
    offering,
    school,
    mailsTo,
  }) => {
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

  test('promises no aircraft that is not kept', async ({ api, offering, mailsTo }) => {
    const email = 'loose@example.com'
    await asked(api, offering, { email })
    const [mail] = await mailsTo(email)
    expect(mail?.text).not.toMatch(/kept for you/)
  })

  test('carries nothing that whoever filled in the form wrote', async ({ api, offering, mailsTo }) => {
    const email = 'victim@example.com'
    await asked(api, offering, { email, name: 'WIN at evil.example', phone: 'call 555-EVIL' })
    const [mail] = await mailsTo(email)
    expect(JSON.stringify(mail)).not.toMatch(/evil|WIN/i)
  })

  test('is not sent once the request is confirmed', async ({ api, offering, mailsTo, school }) => {
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
