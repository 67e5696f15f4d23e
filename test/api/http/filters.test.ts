import { describe, expect } from 'vitest'
import { buildMember, type Member } from '../../support/builders.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { bookDual, expectOk } from '../../support/flights.ts'

const test = sharedSchoolTest()
  .extend('other', { scope: 'file', auto: true }, ({ api, school }) =>
    buildMember(api, school.organizationId, ['student']),
  )
  .extend(
    'rows',
    ({ api }) =>
      (who: Member, url: string) =>
        expectOk<Record<string, unknown>[]>(api, who, 'GET', url),
  )

describe('a filter by member', () => {
  test('takes one id, several, and `me`', async ({ school, other, rows, api }) => {
    const { instructor, student, admin } = school
    for (const who of [instructor, admin]) {
      await api.as(who).post('/availability/timeOff', { start: '2026-12-01T10:00:00Z', end: '2026-12-01T12:00:00Z' })
    }
    const of = async (who: Member, query: string) =>
      (await rows(who, `/availability/timeOff?orgUserId=${query}`)).map(({ orgUserId }) => orgUserId)
    const [first, second] = [instructor.orgUserId, admin.orgUserId]
    expect(await of(student, `${first}`)).toEqual([first])
    expect((await of(student, `${first},${second},${first}`)).sort()).toEqual([first, second].sort())
    expect(await of(instructor, 'me')).toEqual([first])
    expect((await of(instructor, `me,${second}`)).sort()).toEqual([first, second].sort())
    expect(await of(student, 'me')).toEqual([])
    expect(await of(student, `${other.orgUserId}`)).toEqual([])
  })

  test.for([
    ['orgUserId=', 'orgUserId: must be ids separated by commas, or me'],
    ['orgUserId=0', 'orgUserId: must be ids separated by commas, or me'],
    ['orgUserId=me,you', 'orgUserId: must be ids separated by commas, or me'],
    ['orgUserId=1&orgUserId=2', 'orgUserId: must be given once'],
  ] as const)('is refused with something else: %s', async ([query, message], { api, school }) => {
    for (const list of ['/availability/timeOff', '/documents', '/training/enrollments', '/todo', '/audit']) {
      const answer = await api.as(school.admin).get(`${list}?${query}`)
      expect([list, answer.statusCode, answer.json().message]).toEqual([list, 400, message])
    }
  })

  test('finds the caller’s own bookings, students and tasks', async ({ api, school, rows }) => {
    const id = await bookDual(api, school)
    const window = 'startDate=2026-11-20&endDate=2026-12-31'
    const found = await rows(school.instructor, `/reservations?${window}&instructorOrgUserId=me`)
    expect(found.map((row) => row.id)).toEqual([id])
    expect(await rows(school.admin, `/reservations?${window}&orgUserId=me`)).toEqual([])
    const both = `me,${school.admin.orgUserId}`
    const students = await rows(school.instructor, `/orgUsers?instructorOrgUserId=${both}`)
    expect(students.map((row) => row.id)).toEqual([school.student.orgUserId])
    expect(await rows(school.admin, '/todo?orgUserId=me')).toEqual(await rows(school.admin, '/todo/me'))
    const two = await api.as(school.admin).get(`/todo?orgUserId=${both}`)
    expect([two.statusCode, two.json().message]).toEqual([400, 'orgUserId: must be only one'])
  })
})

describe('a filter by id or by fixed value', () => {
  test('takes several, and matches any of them', async ({ api, school, rows }) => {
    const enrolled = await rows(school.admin, '/training/enrollments?status=enrolled,graduated&courseId=1,2')
    expect(enrolled).toEqual([])
    const events = await rows(
      school.admin,
      '/audit?action=reservation.created,reservation.changed,reservation.cancelled',
    )
    const alone = await Promise.all(
      ['reservation.created', 'reservation.changed', 'reservation.cancelled'].map((action) =>
        rows(school.admin, `/audit?action=${action}`),
      ),
    )
    expect(events).toHaveLength(alone.flat().length)
    const subjects = `member:${school.student.orgUserId},resource:${school.plane.id}`
    for (const { subject } of await rows(school.admin, `/audit?subject=${subjects}`)) {
      expect(['member', 'resource']).toContain((subject as { kind: string }).kind)
    }
    const wrong = await api.as(school.admin).get('/documents?status=pending,lost')
    expect([wrong.statusCode, wrong.json().message]).toEqual([
      400,
      'status: must be one of pending, verified, rejected, or several separated by commas',
    ])
  })

  test('of notifications and join requests takes `all`', async ({ school, rows }) => {
    const all = await rows(school.student, '/notifications?status=all')
    expect(await rows(school.student, '/notifications?status=unread,read')).toEqual(all)
    expect(await rows(school.admin, '/organizations/joinRequests?status=pending,approved')).toEqual([])
    expect(await rows(school.admin, '/organizations/joinRequests?status=all')).toEqual([])
  })
})

describe('the field to sort by', () => {
  test.for(['no.such.path', 'namee', '', 'name.first', '__proto__'])(
    'is refused when no row has it: %s',
    async (path, { api, school }) => {
      for (const list of ['/users', '/locations', '/notifications', '/audit']) {
        const answer = await api.as(school.admin).get(`${list}?sort=${path}`)
        expect([list, answer.statusCode]).toEqual([list, 400])
        expect(answer.json().details.problems).toEqual([
          { field: 'sort', message: 'sort: no row has a field at this path' },
        ])
      }
    },
  )

  test('is told about once when it is too long', async ({ api, school }) => {
    const answer = await api.as(school.admin).get(`/users?sort=${'x'.repeat(201)}`)
    expect(answer.json().details.problems).toEqual([
      { field: 'sort', message: 'sort: must have at most 200 characters' },
    ])
  })

  test('may lie inside of parts whose fields no schema names', async ({ api, school }) => {
    for (const url of ['/notifications?sort=data.reservationId', '/audit?sort=after.name']) {
      expect((await api.as(school.admin).get(url)).statusCode).toBe(200)
    }
  })
})
