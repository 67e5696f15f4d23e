import { describe, expect } from 'vitest'
import { bookingBody, seats } from '../../../support/booking.ts'
import { buildPlane, type Member, type School } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'

interface Squawk {
  id: number
  status: string
  deferredUntil: string | null
  files: { id: number; fileName: string; url: string | null }[]
}

const test = sharedSchoolTest()
  .extend(
    'report',
    ({ api, school }) =>
      (severity = 'grounding') =>
        expectOk<Squawk>(api, school.student, 'POST', url, {
          resource: { id: plane.id },
          title: 'Landing light out',
          severity,
        }),
  )
  .extend(
    'change',
    ({ api, school }) =>
      (id: number, body: object, who: Member = school.technician) =>
        api.as(who).patch(`${url}/${id}`, body),
  )
  .extend('isGrounded', ({ api, school }) => async () => {
    const { grounded } = await expectOk<{ grounded: boolean }>(api, school.student, 'GET', `/resources/${plane.id}`)
    return grounded
  })

let plane: School['plane']
test.beforeEach(async ({ api, school }) => {
  api.clock.now = new Date('2026-11-21T12:00:00Z')
  plane = await buildPlane(api, school)
})

const url = '/maintenance/squawks'
const deferral = {
  status: 'deferred',
  deferredUntil: '2026-11-30',
  deferralReference: '91.213(d)(2)',
  placarded: true,
  excludedOperations: ['night'],
}

describe('a squawk (§Maintenance)', () => {
  test('in progress holds as an open one does', async ({ report, change, isGrounded }) => {
    const { id } = await report()
    expect((await change(id, { status: 'in_progress' })).json().data.status).toBe('in_progress')
    expect(await isGrounded()).toBe(true)
  })

  test('keeps the end, reference and placard of its deferral, until it is opened again', async ({
    report,
    change,
    isGrounded,
  }) => {
    const { id } = await report()
    expect((await change(id, deferral)).json().data).toMatchObject(deferral)
    expect(await isGrounded()).toBe(false)
    expect((await change(id, { deferredUntil: '2026-12-31' })).json().data).toMatchObject({
      ...deferral,
      deferredUntil: '2026-12-31',
    })
    const none = { deferredUntil: null, deferralReference: null, placarded: false, excludedOperations: [] }
    expect((await change(id, { status: 'open' })).json().data).toMatchObject({ status: 'open', ...none })
    expect(await isGrounded()).toBe(true)
  })

  test('is deferred by maintenance, not until a day that is past, and with these fields only then', async ({
    school,
    report,
    change,
  }) => {
    const { id } = await report()
    expect((await change(id, deferral, school.student)).statusCode).toBe(403)
    expect((await change(id, { placarded: true }, school.student)).statusCode).toBe(403)
    expect((await change(id, { placarded: true })).json().message).toBe(
      'placarded: is only allowed with the status deferred',
    )
    const past = await change(id, { ...deferral, deferredUntil: '2026-11-20' })
    expect(past.json().message).toBe('deferredUntil: must not be in the past')
    expect((await change(id, { ...deferral, deferredUntil: '2026-11-31' })).statusCode).toBe(400)
  })

  test('holds once an inspection was completed without a word on it, until it is deferred again (14 CFR 91.405(c))', async ({
    api,
    school,
    report,
    change,
    isGrounded,
  }) => {
    const { id } = await report('observation')
    await change(id, deferral)
    const inspection = { resource: { id: plane.id }, name: 'Annual', basis: 'calendar', intervalMonths: 12 }
    const completed = async (grounding: boolean, body: object = {}) => {
      const item = { ...inspection, grounding }
      const made = await expectOk<{ id: number }>(api, school.technician, 'POST', '/maintenance/reminders', item)
      return (await api.as(school.technician).post(`/maintenance/reminders/${made.id}/complete`, body)).json()
    }
    expect((await completed(false)).warning).toBeUndefined()
    expect((await completed(true, { inspectedSquawkIds: [id] })).warning).toBeUndefined()
    expect(await isGrounded()).toBe(false)
    expect((await completed(true)).warning).toMatch(/91.405\(c\)\): Landing light out\.$/)
    expect(await isGrounded()).toBe(true)
    await change(id, { title: 'Landing light is out' })
    expect(await isGrounded()).toBe(true)
    await change(id, { status: 'deferred' })
    expect(await isGrounded()).toBe(false)
    await change(id, { status: 'open' })
    const refused = await completed(true, { inspectedSquawkIds: [id] })
    expect(refused.message).toBe('inspectedSquawkIds.0: is not a deferred squawk of the resource')
  })
})

describe('the files of a squawk', () => {
  test('are added by its reporter while it is open and by maintenance, and seen with it', async ({
    api,
    school,
    report,
    change,
  }) => {
    const { id } = await report('observation')
    const add = (who: Member, ...fileNames: string[]) => api.as(who).post(`${url}/${id}/files`, { fileNames })
    const added = await add(school.student, 'light.jpg', 'lens.jpg')
    expect(added.json()).toMatchObject({
      data: [{ fileName: 'light.jpg', url: null }, { fileName: 'lens.jpg' }],
      signedUrlData: [{ url: expect.any(String) }, { url: expect.any(String) }],
    })
    expect((await add(school.renter, 'mine.jpg')).statusCode).toBe(403)
    expect((await add(school.student, 'mine.exe')).statusCode).toBe(400)
    await change(id, { status: 'in_progress' })
    expect((await add(school.student, 'late.jpg')).statusCode).toBe(403)
    expect((await add(school.technician, 'work.jpg')).statusCode).toBe(201)
    const read = () => expectOk<Squawk>(api, school.renter, 'GET', `${url}/${id}`)
    expect((await read()).files.map(({ fileName }) => fileName)).toEqual(['light.jpg', 'lens.jpg', 'work.jpg'])
    const papers = await expectOk<object[]>(api, school.admin, 'GET', `/resources/${plane.id}/files`)
    expect(papers).toEqual([])
    const first = added.json().data[0].id
    expect((await api.as(school.admin).delete(`/resources/${plane.id}/files/${first}`)).statusCode).toBe(404)
    expect((await api.as(school.technician).delete(`${url}/${id}/files/${first}`)).statusCode).toBe(204)
    expect((await read()).files).toHaveLength(2)
  })
})

describe('the papers of a completion', () => {
  test('are arranged with it, seen in the history, and not deleted', async ({ api, school }) => {
    const body = { resource: { id: plane.id }, name: 'Annual', basis: 'calendar', intervalMonths: 12 }
    const { id } = await expectOk<{ id: number }>(api, school.technician, 'POST', '/maintenance/reminders', body)
    const done = await api
      .as(school.technician)
      .post(`/maintenance/reminders/${id}/complete`, { files: ['annual.pdf'], workOrder: 'WO-1' })
    expect(done.json().signedUrlData).toHaveLength(1)
    const [row] = await expectOk<Squawk[]>(api, school.student, 'GET', `/maintenance/reminders/${id}/history`)
    expect(row?.files).toMatchObject([{ fileName: 'annual.pdf', url: null }])
    const gone = await api.as(school.admin).delete(`/resources/${plane.id}/files/${row?.files[0]?.id}`)
    expect(gone.statusCode).toBe(404)
    const strange = await api.as(school.technician).post(`/maintenance/reminders/${id}/complete`, { files: ['x.exe'] })
    expect(strange.statusCode).toBe(400)
    expect((await api.as(school.admin).delete(`/maintenance/reminders/${id}`)).statusCode).toBe(204)
  })
})

describe('a deferral that excludes operations', () => {
  test('refuses bookings by night, and not by day (14 CFR 91.205)', async ({ api, school, report, change }) => {
    const { id } = await report()
    await change(id, { ...deferral, deferredUntil: '2026-12-31' })
    const book = (hour: number) =>
      api.as(school.admin).post(
        '/reservations/check',
        bookingBody(school, 'rental', {
          start: `2026-11-25T${hour}:00:00Z`,
          end: `2026-11-25T${hour + 1}:00:00Z`,
          resource: { id: plane.id },
          personnel: seats({ renters: [school.renter] }),
        }),
      )
    expect((await book(12)).json().data.problems).toEqual([])
    expect((await book(22)).json().data.problems).toMatchObject([{ code: 'RESOURCE_GROUNDED' }])
  })
})
