import { describe, expect } from 'vitest'
import { buildPlane, type School } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'

interface Reminder {
  id: number
  status: string
  dueAt: string | null
  dueReading: number | null
}

const test = sharedSchoolTest().extend(
  'add',
  ({ api, school }) =>
    (body: object): Promise<Reminder> =>
      expectOk<Reminder>(api, school.technician, 'POST', url, {
        resource: { id: plane.id },
        name: '100-hour',
        ...body,
      }),
)

/** Hobbs 1000.00, tach 900.00. */
let plane: School['plane']
test.beforeEach(async ({ api, school }) => {
  api.clock.now = new Date('2026-11-21T12:00:00Z')
  plane = await buildPlane(api, school)
})

const url = '/maintenance/reminders'

describe('completing the work of a reminder (§Maintenance)', () => {
  test('counts from now and the present reading by default', async ({ api, school, add }) => {
    const { id } = await add({ basis: 'hobbs', intervalHours: 50, dueReading: 1010 })
    expect(await expectOk(api, school.technician, 'POST', `${url}/${id}/complete`)).toMatchObject({
      lastDoneAt: api.clock.now.toISOString(),
      lastDoneReading: 1000,
      dueReading: 1050,
    })
  })

  test('does not make a reminder without an interval due again', async ({ api, school, add }) => {
    const { id } = await add({ basis: 'calendar', dueAt: '2026-01-01T00:00:00Z' })
    expect(await expectOk(api, school.technician, 'POST', `${url}/${id}/complete`)).toMatchObject({
      dueAt: null,
      status: 'ok',
    })
  })

  test('is recorded, latest first, with who recorded it', async ({ api, school, add }) => {
    const { id } = await add({ basis: 'tach', intervalHours: 100 })
    const complete = (body: object) => expectOk(api, school.technician, 'POST', `${url}/${id}/complete`, body)
    await complete({ doneAt: '2026-03-01T00:00:00Z', reading: 700 })
    await complete({ doneAt: '2026-08-01T00:00:00Z', reading: 800, notes: 'New plugs' })
    const history = await expectOk(api, school.student, 'GET', `${url}/${id}/history`)
    const by = { orgUserId: school.technician.orgUserId, name: school.technician.name }
    expect(history).toMatchObject([
      { doneAt: '2026-08-01T00:00:00.000Z', reading: 800, notes: 'New plugs', by },
      { doneAt: '2026-03-01T00:00:00.000Z', reading: 700, notes: null, by },
    ])
  })

  test('is refused in the future and without any reading', async ({ api, school, add }) => {
    const { id } = await add({ basis: 'tach', intervalHours: 100 })
    const complete = (reminder: number, body: object) =>
      api.as(school.technician).post(`${url}/${reminder}/complete`, body)
    expect((await complete(id, { doneAt: '2026-11-21T12:00:01Z' })).json().message).toMatch(/^doneAt:/)
    await api.core.database.db
      .updateTable('resource')
      .set({ tach_hundredths: null })
      .where('id', '=', plane.id)
      .execute()
    expect((await complete(id, {})).json().message).toMatch(/^reading:/)
  })
})

describe('changing a reminder (§Maintenance)', () => {
  test('locks its aircraft and then the reminder, each with one statement', async ({ api, school, add }) => {
    const { id } = await add({ basis: 'hobbs', intervalHours: 50, dueReading: 1010 })
    const { statements } = await countStatements(api, () =>
      expectOk(api, school.technician, 'PATCH', `${url}/${id}`, { name: '50-hour' }),
    )
    const inside = statements.slice(statements.indexOf('begin'), statements.indexOf('commit'))
    const reads = inside.filter((text) => /^select/i.test(text)).map((text) => /from "?(\w+)/.exec(text)?.[1])
    expect(reads.slice(0, 2)).toEqual(['resource', 'maintenance_item'])
    // The limits of the reminder, and then what decides whether the aircraft is held.
    expect(reads.slice(2)).toEqual(['maintenance_limit', 'squawk', 'maintenance_limit'])
  })

  test('to a new interval counts again from when the work was last done', async ({ api, school, add }) => {
    const { id } = await add({ basis: 'tach', intervalHours: 100, lastDoneReading: 850 })
    expect(await expectOk(api, school.admin, 'PATCH', `${url}/${id}`, { intervalHours: 60 })).toMatchObject({
      dueReading: 910,
      status: 'due_soon',
    })
    expect(await expectOk(api, school.admin, 'PATCH', `${url}/${id}`, { name: '60-hour', warnHours: 5 })).toMatchObject(
      {
        name: '60-hour',
        dueReading: 910,
        status: 'ok',
      },
    )
  })

  test('does not change its basis', async ({ api, school, add }) => {
    const { id } = await add({ basis: 'tach', intervalHours: 100 })
    const refused = await api.as(school.admin).patch(`${url}/${id}`, { intervalMonths: 2 })
    expect(refused.statusCode).toBe(400)
  })
})
