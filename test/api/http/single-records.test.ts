import { describe, expect } from 'vitest'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'

const test = sharedSchoolTest()

describe('a single record is read by whom its list shows it to', () => {
  test('a package that is not sold is read by admins only', async ({ api, school }) => {
    const body = { name: 'Ten hours', priceCents: 90_000, grant: { deciHours: 100 }, active: false }
    const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/packages', body)
    expect((await api.as(school.student).get(`/packages/${id}`)).statusCode).toBe(404)
    expect((await api.as(school.admin).get(`/packages/${id}`)).json().data).toMatchObject({ id, active: false })
    await expectOk(api, school.admin, 'PATCH', `/packages/${id}`, { active: true })
    expect((await api.as(school.student).get(`/packages/${id}`)).statusCode).toBe(200)
  })

  test('a file for staff is read by staff and technicians only, and on its own aircraft only', async ({
    api,
    school,
  }) => {
    const url = `/resources/${school.plane.id}/files`
    const body = { category: 'insurance', label: 'Policy', fileNames: ['policy.pdf'] }
    const [file] = await expectOk<{ id: number }[]>(api, school.admin, 'POST', url, body)
    expect((await api.as(school.student).get(`${url}/${file?.id}`)).statusCode).toBe(404)
    expect((await api.as(school.technician).get(`${url}/${file?.id}`)).json().data).toMatchObject({ label: 'Policy' })
    expect((await api.as(school.technician).get(`/resources/2000000/files/${file?.id}`)).statusCode).toBe(404)
  })

  test('a view that is not shared is read by its author only', async ({ api, school }) => {
    const body = { name: 'Mine', report: 'students' }
    const { id } = await expectOk<{ id: number }>(api, school.instructor, 'POST', '/reports/views', body)
    expect((await api.as(school.admin).get(`/reports/views/${id}`)).statusCode).toBe(404)
    expect((await api.as(school.instructor).get(`/reports/views/${id}`)).json().data).toMatchObject({ name: 'Mine' })
  })

  test.for(['nonsense', 'currency:1', 'currency:x'])(
    'the rule %s, which nobody has, is 404',
    async (key, { api, school }) => {
      expect((await api.as(school.student).get(`/rules/${key}`)).statusCode).toBe(404)
    },
  )

  test('has an ETag, and is 304 for who has it', async ({ api, school }) => {
    const { token } = school.student
    const read = await api.call('GET', '/rules/availability', { token })
    const headers = { 'if-none-match': String(read.headers.etag) }
    expect((await api.call('GET', '/rules/availability', { token, headers })).statusCode).toBe(304)
  })
})
