import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testedBackends } from '../../support/backends.ts'
import { buildSchool, type School } from '../../support/builders.ts'
import { eventually } from '../../support/eventually.ts'
import { bookDual, expectOk, fly, setRates, sign } from '../../support/flights.ts'
import { startWebhooks, type WebhookEnv } from '../../support/webhooks.ts'

type Row = Record<string, unknown> & { id: number }

const types = ['created', 'changed', 'cancelled', 'ramped_out', 'ramped_in', 'signed_off'].map(
  (verb) => `reservation.${verb}`,
)

let env: WebhookEnv
let school: School

beforeAll(async () => {
  const [backend] = testedBackends()
  env = await startWebhooks(1, { backend })
  env.receivers[0]!.answer((response) => response.writeHead(204).end())
  school = await buildSchool(env.api)
  await setRates(env.api, school)
  await expectOk(env.api, school.admin, 'POST', '/webhooks', { url: env.url(), events: types })
})
afterAll(() => env.close())

/** The bookings as a receiver has them that keeps the latest `data` of each. */
function mirror(): Map<number, Row> {
  return new Map(env.receivers[0]!.received.map(({ body }) => JSON.parse(body).data as Row).map((row) => [row.id, row]))
}

/** Returns what `GET` answers of a booking and a mirror can have: webhooks leave notes and links out. */
const told = ({ notes: _notes, meetingUrl: _url, ...row }: Row) => row

describe('the six types of reservation events', () => {
  test('keep a copy of a booking from its creation to its bill, and back', async () => {
    const start = new Date(Date.now() + 3_600_000)
    const end = new Date(start.getTime() + 7_200_000)
    await expectOk(env.api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, { billingMode: 'ledger' })
    const id = await bookDual(env.api, school, { start: start.toISOString(), end: end.toISOString() })
    const url = `/reservations/${id}`
    const post = (path: string, body: object = {}, who = school.admin) =>
      expectOk<Row[]>(env.api, who, 'POST', `${url}/${path}`, body)
    const payers = [{ orgUserId: school.student.orgUserId, percentage: 100 }]
    const steps: [string, () => Promise<unknown>][] = [
      ['booked', async () => {}],
      ['booked', () => expectOk(env.api, school.admin, 'PATCH', url, { title: 'Lesson 5: slow flight' })],
      ['ramped_in', () => fly(env.api, school, id)],
      ['ramped_in', () => post('confirmReview', {}, school.instructor)],
      ['ramped_in', () => expectOk(env.api, school.admin, 'PUT', `${url}/payers`, { payers })],
      ['signed_off', () => sign(env.api, school, id)],
      ['invoiced', () => post('invoices')],
      ['signed_off', reverseCharge],
      ['ramped_in', () => post('reopen', { reason: 'The meter was misread' })],
    ]
    async function reverseCharge() {
      const entries = await expectOk<Row[]>(
        env.api,
        school.admin,
        'GET',
        `/orgUsers/${school.student.orgUserId}/ledger`,
      )
      const charge = entries.find(({ reservationId }) => reservationId === id)
      await expectOk(env.api, school.admin, 'POST', `/ledger/${charge?.id}/reverse`, { reason: 'A wrong rate' })
    }
    for (const [status, step] of steps) {
      await step()
      const row = told(await expectOk<Row>(env.api, school.admin, 'GET', url))
      expect(row.status).toBe(status)
      await eventually(
        async () => JSON.stringify(told(mirror().get(id) ?? { id })),
        (copy) => copy === JSON.stringify(row),
      )
    }
  })
})
