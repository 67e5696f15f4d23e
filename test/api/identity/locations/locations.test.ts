import { describe, expect } from 'vitest'
import { buildLocation, buildSchool, type School } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'

const test = sharedSchoolTest().extend(
  'zoneOf',
  ({ api }) =>
    async ({ admin }: School): Promise<string> =>
      (await api.as(admin).get('/auth')).json().data.organization.timeZoneName,
)

const reno = {
  name: 'Reno Stead',
  airportIdentifier: 'krts',
  timeZoneName: 'America/Los_Angeles',
  address: { line1: '4895 Texas Ave', city: 'Reno', state: 'NV', postalCode: '89506', country: 'us' },
}

describe('a location', () => {
  test('is added by an admin and can be read by every member', async ({ api, school }) => {
    const added = await api.as(school.admin).post('/locations', reno)
    expect(added.statusCode).toBe(201)
    const { data } = added.json()
    expect(data).toMatchObject({
      name: 'Reno Stead',
      airportIdentifier: 'KRTS',
      timeZoneName: 'America/Los_Angeles',
      address: { line1: '4895 Texas Ave', city: 'Reno', state: 'NV', postalCode: '89506', country: 'US' },
    })
    const read = await api.as(school.student).get(`/locations/${data.id}`)
    expect(read.json().data).toEqual(data)
  })

  test('has the zone of the organization when none is given', async ({ api }) => {
    const { organizationId, admin } = await buildSchool(api, { timeZoneName: 'Europe/Berlin' })
    expect(organizationId).toBeGreaterThan(0)
    const added = await api.as(admin).post('/locations', { name: 'Strausberg' })
    expect(added.json().data).toMatchObject({ timeZoneName: 'Europe/Berlin', airportIdentifier: null, address: {} })
  })

  test('changes in part: what is left out stays, and null clears the identifier', async ({ api, school }) => {
    const { data } = (await api.as(school.owner).post('/locations', reno)).json()
    const changed = await api.as(school.owner).patch(`/locations/${data.id}`, {
      name: 'Reno',
      airportIdentifier: null,
    })
    expect(changed.statusCode).toBe(200)
    expect(changed.json().data).toMatchObject({
      id: data.id,
      name: 'Reno',
      airportIdentifier: null,
      timeZoneName: 'America/Los_Angeles',
      address: { city: 'Reno' },
    })
  })

  test('is deleted when nothing refers to it', async ({ api, school }) => {
    const { id } = await buildLocation(api, school.organizationId)
    const { token } = school.admin
    expect((await api.call('DELETE', `/locations/${id}`, { token })).statusCode).toBe(204)
    expect((await api.call('GET', `/locations/${id}`, { token })).statusCode).toBe(404)
  })

  test('is not deleted while a resource is there', async ({ api, school }) => {
    const refused = await api.as(school.admin).delete(`/locations/${school.location.id}`)
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toBe('Hayward Executive is still used by a resource.')
  })
})

describe('the zone of the organization (§Time zones)', () => {
  test('follows the zone of the first location, and of no other', async ({ api, zoneOf }) => {
    const followed = await buildSchool(api)
    const { token } = followed.admin
    const body = { timeZoneName: 'America/Denver' }
    const second = await buildLocation(api, followed.organizationId)
    await api.call('PATCH', `/locations/${second.id}`, { token, body: { timeZoneName: 'Asia/Tokyo' } })
    expect(await zoneOf(followed)).toBe('UTC')
    await api.call('PATCH', `/locations/${followed.location.id}`, { token, body })
    expect(await zoneOf(followed)).toBe('America/Denver')
  })

  test('becomes the zone of the next location when the first is deleted', async ({ api, zoneOf }) => {
    const followed = await buildSchool(api)
    const { token } = followed.admin
    const second = await buildLocation(api, followed.organizationId, { timeZoneName: 'Asia/Tokyo' })
    await api.core.database.db
      .updateTable('resource')
      .set({ location_id: second.id })
      .where('organization_id', '=', followed.organizationId)
      .execute()
    expect((await api.call('DELETE', `/locations/${followed.location.id}`, { token })).statusCode).toBe(204)
    expect(await zoneOf(followed)).toBe('Asia/Tokyo')
  })
})

describe('the list of locations', () => {
  test('has only the locations of the organization, oldest first, and sorts when asked', async ({ api }) => {
    const listed = await buildSchool(api)
    await buildLocation(api, listed.organizationId, { name: 'Ames' })
    const { token } = listed.renter
    const names = (response: { json(): { data: { name: string }[] } }) => response.json().data.map(({ name }) => name)
    const all = await api.call('GET', '/locations', { token })
    expect(names(all)).toEqual(['Hayward Executive', 'Ames'])
    expect(all.headers['x-total-count']).toBe('2')
    expect(names(await api.call('GET', '/locations?sort=name', { token }))).toEqual(['Ames', 'Hayward Executive'])
    expect(names(await api.call('GET', '/locations?limit=1&offset=1', { token }))).toEqual(['Ames'])
  })
})

describe('a location request is refused', () => {
  test.for([
    ['a missing name', { timeZoneName: 'UTC' }, 'name'],
    ['a blank name', { name: '  ' }, 'name'],
    ['a name with a null character', { name: 'a\u0000b' }, 'name'],
    ['an unknown zone', { name: 'X', timeZoneName: 'Mars/Olympus' }, 'timeZoneName'],
    ['an impossible airport', { name: 'X', airportIdentifier: 'HAYWARD' }, 'airportIdentifier'],
    ['a country that is no code', { name: 'X', address: { country: 'USA' } }, 'address.country'],
    ['an endless address line', { name: 'X', address: { line1: 'x'.repeat(201) } }, 'address.line1'],
  ] as const)('by field name with %s', async ([_what, body, field], { api, school }) => {
    const response = await api.as(school.admin).post('/locations', body)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(new RegExp(`^${field}: `))
  })
})
