import { describe, expect } from 'vitest'
import type { Member } from '../../../support/builders.ts'
import { billingTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'

interface Booking {
  invoices: { id: number; payUrl: string | null }[]
}

let hour = 7

const test = billingTest().extend('prepaid', ({ env }) => async () => {
  const extra = { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 25_000 }
  hour += 3
  const times = { start: `2031-03-05T${hour}:00:00Z`, end: `2031-03-05T${hour + 2}:00:00Z` }
  const id = await bookDual(env.api, env.school, { ...times, extra })
  const { invoices } = await expectOk<Booking>(env.api, env.school.admin, 'GET', `/reservations/${id}`)
  return { id, invoice: invoices[0]!.id, payUrl: invoices[0]!.payUrl! }
})

describe('the pay link of an invoice (§Invoices)', () => {
  test('is answered to the payer, admins and dispatchers, and to nobody else who reads the booking', async ({
    env: { api, school },
    prepaid,
  }) => {
    const { id, invoice, payUrl } = await prepaid()
    expect(payUrl).toMatch(/^http/)
    const links = async (who: Member, path: string) => {
      const { body } = await api.as(who).get(path)
      return body.includes(payUrl)
    }
    const window = 'startDate=2031-03-01T00:00:00Z&endDate=2031-03-31T00:00:00Z'
    for (const path of [`/reservations/${id}`, `/reservations?${window}`]) {
      for (const who of [school.student, school.admin, school.owner, school.dispatcher]) {
        expect([path, who.name, await links(who, path)]).toEqual([path, who.name, true])
      }
      for (const who of [school.instructor, school.renter, school.technician]) {
        expect([path, who.name, await links(who, path)]).toEqual([path, who.name, false])
      }
    }
    for (const who of [school.instructor, school.renter, school.technician]) {
      expect((await api.as(who).get(`/invoices/${invoice}`)).statusCode).toBe(404)
    }
    const { body } = await api.as(school.instructor).get(`/reservations/${id}`)
    expect(JSON.parse(body).data.invoices).toMatchObject([{ id: invoice, payUrl: null }])
  })

  test('is in no list of changes of others, search, audit log, history or notification', async ({
    env: { api, school, workers },
    prepaid,
  }) => {
    const { id, invoice, payUrl } = await prepaid()
    await workers.settled()
    const { host } = new URL(payUrl)
    const first = await api
      .as(school.renter)
      .get('/reservations?cursor=&startDate=2031-03-01T00:00:00Z&endDate=2031-03-31T00:00:00Z')
    expect(first.body).not.toContain(host)
    const number = (await expectOk<{ number: number }>(api, school.admin, 'GET', `/invoices/${invoice}`)).number
    for (const path of [
      `/search?q=%23${number}`,
      '/audit?limit=100',
      `/reservations/${id}/history`,
      '/notifications',
      '/todo/me',
      '/reports/balances',
    ]) {
      const { statusCode, body } = await api.as(school.admin).get(path)
      expect([path, statusCode, body.includes(host)]).toEqual([path, 200, false])
    }
  })
})
