import { describe, expect } from 'vitest'
import { buildSchool } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'

const test = schoolTest()
  .extend(
    'make',
    ({ api, school }) =>
      (body: object, token = school.admin.token) =>
        api.call('POST', '/groups', { token, body }),
  )
  .extend(
    'putMembers',
    ({ api, school }) =>
      (id: number, orgUserIds: unknown, token = school.admin.token) =>
        api.call('PUT', `/groups/${id}/members`, { token, body: { orgUserIds } }),
  )

describe('a group (§Groups)', () => {
  test('is created by an admin with its members, and is read and listed by any member', async ({
    api,
    school,
    make,
  }) => {
    const { student, renter } = school
    const response = await make({
      name: 'Spring class',
      orgUserIds: [renter.orgUserId, student.orgUserId, renter.orgUserId],
    })
    expect(response.statusCode).toBe(201)
    const { data } = response.json()
    expect(data).toMatchObject({
      name: 'Spring class',
      description: null,
      orgUserIds: [renter.orgUserId, student.orgUserId],
    })
    expect((await api.call('GET', `/groups/${data.id}`, { token: student.token })).json().data).toEqual(data)
    await make({ name: 'Aerobatics' })
    const list = await api.as(student).get('/groups')
    expect(list.json().data.map((row: { name: string }) => row.name)).toEqual(['Aerobatics', 'Spring class'])
    const members = await api.as(student).get(`/orgUsers?groupId=${data.id}`)
    expect(members.headers['x-total-count']).toBe('2')
  })

  test('changes in what is given, and its members are replaced as a whole', async ({
    api,
    school,
    make,
    putMembers,
  }) => {
    const { data } = (await make({ name: 'Old', orgUserIds: [school.student.orgUserId] })).json()
    const url = `/groups/${data.id}`
    const patched = await api.as(school.owner).patch(url, { description: 'Mondays' })
    expect(patched.json().data).toMatchObject({
      name: 'Old',
      description: 'Mondays',
      orgUserIds: [school.student.orgUserId],
    })
    const put = await putMembers(data.id, [school.renter.orgUserId])
    expect(put.json().data.orgUserIds).toEqual([school.renter.orgUserId])
    expect((await putMembers(data.id, [])).json().data.orgUserIds).toEqual([])
  })

  test('is deleted without its members', async ({ api, school, make }) => {
    const { data } = (await make({ name: 'Gone', orgUserIds: [school.student.orgUserId] })).json()
    const url = `/groups/${data.id}`
    expect((await api.call('DELETE', url, { token: school.admin.token })).statusCode).toBe(204)
    expect((await api.call('GET', url, { token: school.admin.token })).statusCode).toBe(404)
    expect(
      (await api.call('GET', `/orgUsers/${school.student.orgUserId}`, { token: school.admin.token })).statusCode,
    ).toBe(200)
  })

  test('refuses a name that is taken, and people who are not members', async ({ api, school, make, putMembers }) => {
    const elsewhere = await buildSchool(api)
    const { data } = (await make({ name: 'One', orgUserIds: [school.student.orgUserId] })).json()
    const taken = await make({ name: 'One' })
    expect([taken.statusCode, taken.json().code]).toEqual([409, 'ALREADY_EXISTS'])
    expect((await make({ name: 'One' }, elsewhere.admin.token)).statusCode).toBe(201)
    for (const response of [
      await make({ name: 'Two', orgUserIds: [elsewhere.student.orgUserId] }),
      await putMembers(data.id, [school.renter.orgUserId, elsewhere.student.orgUserId]),
      await putMembers(data.id, [0]),
      await putMembers(data.id, 'all'),
    ]) {
      expect(response.statusCode).toBe(400)
      expect(response.json().message).toMatch(/^orgUserIds(\.0)?: /)
    }
    const read = await api.as(school.student).get(`/groups/${data.id}`)
    expect(read.json().data.orgUserIds).toEqual([school.student.orgUserId])
  })
})
