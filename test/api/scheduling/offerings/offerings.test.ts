import { describe, expect } from 'vitest'
import { buildMember, buildPlane, buildRoom, buildSchool, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { asked, buildListedSchool, offer, openingsOf } from '../../../support/offerings.ts'

const test = schoolTest()
  .extend('body', ({ school }) => (extra: Record<string, unknown> = {}) => ({
    name: 'Discovery flight',
    durationMinutes: 60,
    resourceIds: [school.plane.id],
    ...extra,
  }))
  .extend(
    'post',
    ({ api, school, body }) =>
      (extra: Record<string, unknown>, who: Member = school.admin) =>
        api.as(who).post('/offerings', body(extra)),
  )
  .extend(
    'patch',
    ({ api, school }) =>
      (id: number, changes: object) =>
        api.as(school.admin).patch(`/offerings/${id}`, changes),
  )
  .extend(
    'list',
    ({ api }) =>
      (who: Member) =>
        api.as(who).get('/offerings'),
  )

describe('an offering', () => {
  test('is by default a guest flight that any instructor flies and that is billed at the close-out', async ({
    school,
    post,
  }) => {
    const response = await post({})
    expect(response.statusCode, response.body).toBe(201)
    expect(response.json().data).toMatchObject({
      name: 'Discovery flight',
      description: null,
      type: 'guest',
      durationMinutes: 60,
      priceCents: null,
      collectionStyle: 'close_out',
      resourceIds: [school.plane.id],
      instructorOrgUserIds: [],
      active: true,
      earliestMinute: null,
      latestMinute: null,
      daylight: false,
    })
  })

  test('keeps its aircraft and instructors in the given order, each once', async ({ api, school }) => {
    const second = await buildPlane(api, school)
    const { orgUserId } = school.instructor
    const made = await offer(api, school, {
      resourceIds: [second.id, school.plane.id, second.id],
      instructorOrgUserIds: [orgUserId, orgUserId],
    })
    expect(made.resourceIds).toEqual([second.id, school.plane.id])
    expect(made.instructorOrgUserIds).toEqual([orgUserId])
  })

  test('changes field by field, and its lists are replaced', async ({ api, school, patch }) => {
    const { id } = await offer(api, school, { instructorOrgUserIds: [school.instructor.orgUserId] })
    const changed = await patch(id, { name: 'Bay tour', active: false, instructorOrgUserIds: [] })
    expect(changed.json().data).toMatchObject({
      name: 'Bay tour',
      active: false,
      durationMinutes: 60,
      priceCents: 19_900,
      resourceIds: [school.plane.id],
      instructorOrgUserIds: [],
    })
  })

  test('needs a price from 50 cents when it is prepaid, also when a change makes it prepaid', async ({
    api,
    school,
    post,
    patch,
  }) => {
    for (const priceCents of [undefined, null, 0, 49]) {
      const response = await post({ collectionStyle: 'prepaid_fixed', priceCents })
      expect(response.statusCode).toBe(400)
      expect(response.json().message).toBe('priceCents: must be at least 50 for a prepaid offering')
    }
    expect((await post({ collectionStyle: 'prepaid_fixed', priceCents: 50 })).statusCode).toBe(201)
    const { id } = await offer(api, school, { priceCents: null })
    expect((await patch(id, { collectionStyle: 'prepaid_fixed' })).statusCode).toBe(400)
    expect((await patch(id, { collectionStyle: 'prepaid_fixed', priceCents: 9_900 })).statusCode).toBe(200)
    expect((await patch(id, { priceCents: null })).statusCode).toBe(400)
  })

  test.for([
    ['durationMinutes', 14],
    ['durationMinutes', 1441],
    ['durationMinutes', 60.5],
    ['name', '   '],
    ['name', 'x'.repeat(201)],
    ['type', 'dual'],
    ['priceCents', -1],
    ['resourceIds', []],
    ['collectionStyle', 'free'],
  ] as const)('is refused for %s %j', async ([field, value], { post }) => {
    const response = await post({ [field]: value })
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(new RegExp(`^${field}: `))
  })

  test('takes planes and instructors of the organization only, and the refusal names the others', async ({
    api,
    school,
    post,
  }) => {
    const other = await buildSchool(api)
    const room = await buildRoom(api, school)
    for (const id of [room.id, other.plane.id]) {
      const response = await post({ resourceIds: [school.plane.id, id] })
      expect(response.json().message).toBe(`resourceIds: there is no plane ${id}`)
    }
    const left = await buildMember(api, school.organizationId, ['instructor'])
    await api.core.database.db
      .updateTable('membership')
      .set({ removed_at: api.clock.now })
      .where('id', '=', left.orgUserId)
      .execute()
    for (const { orgUserId } of [school.student, other.instructor, left]) {
      const response = await post({ instructorOrgUserIds: [orgUserId] })
      expect(response.json().message).toBe(`instructorOrgUserIds: there is no instructor ${orgUserId}`)
    }
  })

  test('is deleted without its requests, which stay with the desk', async ({ api }) => {
    const listed = await buildListedSchool(api)
    const offering = await offer(api, listed)
    const id = await asked(api, offering)
    await expectOk(api, listed.admin, 'GET', '/offerings')
    const gone = await api.as(listed.admin).delete(`/offerings/${offering.id}`)
    expect(gone.statusCode).toBe(204)
    const row = await api.core.database.db
      .selectFrom('booking_request')
      .select(['offering_id', 'title'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row).toEqual({ offering_id: null, title: 'Discovery flight' })
  })

  test('loses an aircraft that is deleted, and has no openings without any aircraft', async ({ api }) => {
    const listed = await buildListedSchool(api)
    const offering = await offer(api, listed)
    expect(await openingsOf(api, offering)).not.toEqual([])
    await api.as(listed.admin).delete(`/resources/${listed.plane.id}`)
    expect(await openingsOf(api, offering)).toEqual([])
  })
})
