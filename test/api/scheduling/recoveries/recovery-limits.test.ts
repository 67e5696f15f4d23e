import { expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildSchool, type School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual } from '../../../support/flights.ts'
import { work } from '../../../support/operations.ts'
import { buildTwin, recoveryWindow } from '../../../support/recoveries.ts'

const test = schoolTest({ env: { RATE_LIMIT_FACTOR: '1' } })

const MOST = 20

/** The three requests that plan. */
const asked = {
  slots: (api: TestApp, { dispatcher, plane }: School) =>
    api.as(dispatcher).get(`/maintenance/slots?resourceId=${plane.id}&hours=4&startDate=2026-11-23&endDate=2026-11-23`),
  recovery: (api: TestApp, { dispatcher, plane }: School) =>
    api.as(dispatcher).post('/recoveries', { cause: { resourceIds: [plane.id] }, ...recoveryWindow }),
  displacing: (api: TestApp, { dispatcher, plane }: School) =>
    api.as(dispatcher).post('/reservations', {
      title: '100-hour inspection',
      type: 'maintenance',
      start: '2026-11-23T08:00:00Z',
      end: '2026-11-23T16:00:00Z',
      timeZoneName: 'UTC',
      resource: { id: plane.id },
      displace: true,
    }),
}

test('recoveries, slots and maintenance that displaces are twenty an hour together, over all schools of an owner', async ({
  api,
  school,
}) => {
  await buildTwin(api, school)
  await bookDual(api, school)
  const second = await buildSchool(api)
  await api.core.database.pool.query(
    'update membership set account_id = (select account_id from membership where id = $1) where id = $2',
    [school.owner.orgUserId, second.owner.orgUserId],
  )
  for (const plans of [asked.recovery, asked.displacing]) {
    const planned = await plans(api, school)
    expect(planned.statusCode, planned.body).toBe(202)
    await work(api, { organizationId: school.organizationId, operationId: planned.json().data.id })
  }
  for (let n = 2; n < MOST; n++) expect((await asked.slots(api, school)).statusCode).toBe(200)
  for (const [what, ask] of Object.entries(asked)) {
    const refused = await ask(api, school)
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0], what).toEqual([429, true])
  }
  expect((await asked.slots(api, second)).statusCode, 'another school of the owner').toBe(429)
  expect((await asked.slots(api, await buildSchool(api))).statusCode, 'a school of others').toBe(200)
})
