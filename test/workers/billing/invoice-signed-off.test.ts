import { describe, expect } from 'vitest'
import { invoiceSignedOff } from '../../../src/shared/billing/invoices/invoices.jobs.ts'
import { schoolWorkersTest } from '../../support/fixtures.ts'
import { closedOutFlight, expectOk, setRates } from '../../support/flights.ts'

const test = schoolWorkersTest({
  school: { settings: { autoInvoice: 'signed_off', defaultBillingMode: 'ledger' } },
})
  .extend('set', ({ api, school }) => async (settings: object): Promise<void> => {
    await expectOk(api, school.owner, 'PATCH', '/organizations', { settings })
  })
  /** A flight of 1.4 h that both sign off; with rates it comes to $336.00. */
  .extend('fly', ({ api, school, workers }) => async (): Promise<number> => {
    const { pool } = api.core.database
    await pool.query(`update membership set billing_mode = 'ledger' where organization_id = $1`, [
      school.organizationId,
    ])
    const id = await closedOutFlight(api, school)
    await workers.settled()
    return id
  })
  /** Goes on in time, and runs the job of a flight. */
  .extend('runAfter', ({ api, school, workers }) => async (minutes: number, reservationId: number): Promise<void> => {
    api.clock.now = new Date(api.clock.now.getTime() + minutes * 60_000)
    const { organizationId } = school
    await workers.run((tx) => tx.enqueue(invoiceSignedOff, { organizationId, reservationId }))
  })
  /** Takes the jobs that wait for their time. Returns the minutes that they still wait. */
  .extend('waiting', ({ api }) => async (): Promise<number[]> => {
    const { db } = api.core.database
    const of = db.deleteFrom('outbox').where('job', '=', invoiceSignedOff.name).returning('available_at')
    return (await of.execute()).map((row) => (row.available_at.getTime() - api.clock.now.getTime()) / 60_000)
  })
  .extend('invoices', ({ api, school }) => async (): Promise<number[]> => {
    const list = await expectOk<{ totalCents: number }[]>(api, school.admin, 'GET', '/invoices')
    return list.map(({ totalCents }) => totalCents)
  })
  .extend('told', ({ api, school }) => async (): Promise<string[]> => {
    const rows = await expectOk<{ kind: string; body: string }[]>(api, school.admin, 'GET', '/notifications')
    return rows.filter(({ kind }) => kind === 'invoice_failed').map(({ body }) => body)
  })

describe('a flight that is signed off (§Invoices)', () => {
  test('is invoiced at once, and once', async ({ api, school, workers, fly, invoices, told }) => {
    await setRates(api, school)
    const reservationId = await fly()
    expect(await invoices()).toEqual([33_600])
    const { organizationId } = school
    await workers.run((tx) => {
      for (let time = 0; time < 3; time += 1) tx.enqueue(invoiceSignedOff, { organizationId, reservationId })
    })
    expect(await invoices()).toEqual([33_600])
    expect(await told()).toEqual([])
  })

  test('is not invoiced where nobody asked for it', async ({ api, school, set, fly, invoices }) => {
    await setRates(api, school)
    await set({ autoInvoice: 'off' })
    await fly()
    expect(await invoices()).toEqual([])
  })

  test('waits the delay after its last signature, and is not invoiced when it is reopened meanwhile', async ({
    api,
    school,
    set,
    fly,
    workers,
    waiting,
    runAfter,
    invoices,
  }) => {
    await setRates(api, school)
    await set({ autoInvoiceDelayMinutes: 60 })
    const id = await fly()
    expect(await waiting()).toEqual([60])
    await runAfter(59, id)
    expect(await invoices()).toEqual([])
    await expectOk(api, school.dispatcher, 'POST', `/reservations/${id}/reopen`, { reason: 'The Hobbs was misread' })
    await runAfter(2, id)
    expect(await invoices()).toEqual([])
    for (const who of [school.instructor, school.student]) {
      await expectOk(api, who, 'POST', `/reservations/${id}/confirmReview`, {})
    }
    await workers.settled()
    expect(await waiting()).toEqual([60])
    await runAfter(59, id)
    expect(await invoices()).toEqual([])
    await runAfter(1, id)
    expect(await invoices()).toEqual([33_600])
  })

  test('that cannot be invoiced is told to admins with the reason', async ({ api, school, fly, invoices, told }) => {
    await api.core.database.pool.query('update resource set wet_rate_cents = null where id = $1', [school.plane.id])
    const id = await fly()
    expect(await invoices()).toEqual([])
    expect(await told()).toEqual([expect.stringContaining('could not be invoiced. There is nothing to bill.')])
    const todo = await expectOk<{ kind: string; subject: { id: number } }[]>(api, school.admin, 'GET', '/todo/me')
    expect(todo).toContainEqual(
      expect.objectContaining({ kind: 'invoice_flight', subject: expect.objectContaining({ id }) }),
    )
  })

  test('is not invoiced in the name of an owner whose address is not verified', async ({
    api,
    school,
    fly,
    invoices,
    told,
  }) => {
    await setRates(api, school)
    await api.core.database.pool.query('update account set email_verified_at = null where id = $1', [
      school.owner.accountId,
    ])
    await fly()
    expect(await invoices()).toEqual([])
    expect(await told()).toEqual([
      expect.stringContaining('No owner of the organization has a verified email address.'),
    ])
  })
})
