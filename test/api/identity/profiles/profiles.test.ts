import { describe, expect } from 'vitest'
import { tablesHolding } from '../../../contract/support/database-state.ts'
import { buildMember, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, dualBody, expectOk, fly } from '../../../support/flights.ts'
import { buildBooking } from '../../../support/records.ts'

const lines: string[] = []
const logTo = { write: (line: string) => void lines.push(line) }
const test = schoolTest({ env: { LOG_LEVEL: 'trace' }, logTo })
  .extend(
    'read',
    ({ api }) =>
      (who: Member, of: Member) =>
        api.as(who).get(`/orgUsers/${of.orgUserId}/profile`),
  )
  .extend(
    'write',
    ({ api }) =>
      (who: Member, of: Member, body: object) =>
        api.as(who).patch(`/orgUsers/${of.orgUserId}/profile`, body),
  )

const contact = { name: 'Jo Ruiz', phone: '+1 510 555 0142', relation: 'sister' }

describe('a profile (§Members)', () => {
  test('is empty at first, and written by the member without being verified', async ({ school, read, write }) => {
    const { student } = school
    expect((await read(student, student)).json().data).toEqual({
      orgUserId: student.orgUserId,
      birthDate: null,
      address: null,
      emergencyContact: null,
      pilotCertificate: null,
      instructorCertificate: null,
      priorExperience: null,
      citizenshipVerification: null,
      weightPounds: null,
      verified: [],
      selfVerified: [],
      createdAt: null,
      updatedAt: null,
    })
    const body = { birthDate: '1988-04-17', emergencyContact: contact, weightPounds: 165 }
    expect((await write(student, student, body)).json().data).toMatchObject({ ...body, verified: [] })
    const merged = await write(student, student, { emergencyContact: { phone: null }, weightPounds: null })
    expect(merged.json().data).toMatchObject({
      birthDate: '1988-04-17',
      emergencyContact: { ...contact, phone: null },
      weightPounds: null,
    })
  })

  test('is verified by staff who read it, and a change of the member is unverified again', async ({
    api,
    school,
    write,
  }) => {
    const { student, instructor } = school
    await write(student, student, { birthDate: '1988-04-17' })
    expect((await write(instructor, student, { verify: ['birthDate'] })).statusCode).toBe(403)
    await buildBooking(api, school, {
      fromHour: 24 * 59,
      seats: [
        { side: 'instructors', member: instructor },
        { side: 'students', member: student },
      ],
    })
    const verified = await write(instructor, student, { verify: ['birthDate'] })
    expect(verified.json().data).toMatchObject({ birthDate: '1988-04-17', verified: ['birthDate'], selfVerified: [] })
    expect((await write(student, student, { birthDate: '1990-04-17' })).json().data.verified).toEqual([])
    expect((await write(student, student, { verify: ['birthDate'] })).statusCode).toBe(403)
  })

  test('is not read through a booking that the instructor made for it, or changed for it, until it was flown', async ({
    api,
    school,
    write,
  }) => {
    const { student, instructor } = school
    await write(student, student, { birthDate: '1988-04-17' })
    const read = async () =>
      (await api.as(instructor).get(`/orgUsers/${student.orgUserId}/profile`)).json().data.birthDate
    const own = await expectOk<{ id: number }>(api, instructor, 'POST', '/reservations', dualBody(school))
    expect(await read()).toBeUndefined()
    const other = await buildMember(api, school.organizationId, ['student'])
    const later = { students: [other], start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' }
    const taken = await bookDual(api, school, later)
    const { personnel } = dualBody(school)
    await expectOk(api, instructor, 'PATCH', `/reservations/${taken}`, { personnel })
    expect(await read()).toBeUndefined()
    api.clock.now = new Date('2026-11-23T10:00:00Z')
    await fly(api, school, own.id)
    expect(await read()).toBe('1988-04-17')
  })

  test('written by an admin is verified, of themselves by themselves', async ({ school, write }) => {
    const { admin, student } = school
    const certificate = { instructorCertificate: { number: '31CFI', validUntil: '2027-03-31' } }
    expect((await write(admin, student, certificate)).json().data).toMatchObject({
      instructorCertificate: { number: '31CFI', validUntil: '2027-03-31', ratings: [] },
      verified: ['instructorCertificate'],
      selfVerified: [],
    })
    expect((await write(admin, admin, { birthDate: '1980-01-01' })).json().data).toMatchObject({
      verified: ['birthDate'],
      selfVerified: ['birthDate'],
    })
  })

  test('has notes for admins alone, and who verified the citizenship', async ({ school, read, write }) => {
    const { admin, student } = school
    await write(admin, student, { notes: 'Prefers mornings', citizenshipVerification: { kind: 'us_passport' } })
    expect((await read(admin, student)).json().data).toMatchObject({
      notes: 'Prefers mornings',
      citizenshipVerification: {
        kind: 'us_passport',
        at: '2026-11-21T12:00:00.000Z',
        by: { orgUserId: admin.orgUserId, name: admin.name },
      },
    })
    expect((await read(student, student)).json().data).not.toHaveProperty('notes')
    expect((await write(student, student, { notes: null })).statusCode).toBe(403)
    expect((await write(student, student, { citizenshipVerification: null })).statusCode).toBe(403)
  })

  test.for([
    ['a birth date to come', { birthDate: '2027-01-01' }, 'birthDate: must be in the past'],
    ['no day', { birthDate: '1988-02-30' }, 'birthDate: must be a day, YYYY-MM-DD'],
    ['an instant', { birthDate: '1988-02-20T00:00:00Z' }, 'birthDate: must be a day, YYYY-MM-DD'],
    ['nobody’s weight', { weightPounds: 19 }, 'weightPounds: must be at least 20'],
    [
      'hours in no make and model',
      { priorExperience: { hours: [{ makeAndModel: '–', picDeciHours: 50 }] } },
      'priorExperience.hours.0.makeAndModel: must contain a letter or a digit',
    ],
    ['nothing to verify', { verify: ['pilotCertificate'] }, 'verify.0: there is nothing to verify'],
  ] as const)('is refused with %s, which is not repeated', async ([_what, body, message], { school, write }) => {
    const response = await write(school.admin, school.student, body)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe(message)
  })

  test('read by another is in the audit log, once a day and reader', async ({ api, school, read }) => {
    const { dispatcher, admin, student } = school
    await read(student, student)
    await read(dispatcher, student)
    await read(dispatcher, student)
    await read(admin, student)
    api.clock.now = new Date(api.clock.now.getTime() + 86_400_001)
    await read(dispatcher, student)
    const audit = await expectOk<{ action: string; actor: { orgUserId: number } }[]>(
      ...([api, admin, 'GET', `/audit?subject=member:${student.orgUserId}&sort=at`] as const),
    )
    const readers = audit.filter(({ action }) => action === 'profile.read').map(({ actor }) => actor.orgUserId)
    expect(readers.sort()).toEqual([dispatcher.orgUserId, dispatcher.orgUserId, admin.orgUserId].sort())
  })
})

test('nothing of a profile reaches a list, search, log, event, job, webhook or another member', async ({
  api,
  school,
  read,
  write,
}) => {
  const { admin, student } = school
  const words = ['1977-07-08', 'Canary Lane', 'Canary Kin', 'CANARY-31', 'CANARY-CFI', 'canary_pass', 'Canary note']
  const [birthDate, line1, name, number, cfi, kind, notes] = words
  const body = {
    birthDate,
    address: { line1 },
    emergencyContact: { name },
    pilotCertificate: { number },
    instructorCertificate: { number: cfi },
    citizenshipVerification: { kind },
    notes,
  }
  expect((await write(admin, student, body)).statusCode).toBe(200)
  expect((await write(student, student, { birthDate: '1977-07-08', verify: ['birthDate'] })).statusCode).toBe(403)
  const refused = await write(student, student, { birthDate: '1977-07-08T00:00' })
  expect(refused.body).not.toContain('1977-07-08')
  expect((await read(admin, student)).body).toContain('Canary Lane')
  const other = await buildMember(api, school.organizationId, ['student', 'renter', 'technician'])
  expect((await read(other, student)).statusCode).toBe(403)
  const answers = await Promise.all([
    ...[
      '/orgUsers',
      `/orgUsers/${student.orgUserId}`,
      '/users',
      `/users/${student.accountId}`,
      '/audit',
      '/groups',
    ].map((url) => api.as(admin).get(url)),
    ...words.map((word) => api.as(admin).get(`/search?q=${encodeURIComponent(word)}`)),
    ...words.map((word) => api.as(admin).get(`/orgUsers?q=${encodeURIComponent(word)}`)),
  ])
  for (const answer of answers) {
    expect(answer.statusCode).toBe(200)
    expect(words.filter((word) => answer.body.includes(word))).toEqual([])
  }
  const holding = await tablesHolding(api.core.database.pool, words)
  expect(holding.map((row) => row.split(':')[0])).toEqual(['public.member_profile'])
  expect(lines.some((line) => line.includes('/profile'))).toBe(true)
  expect(lines.filter((line) => words.some((word) => line.includes(word)))).toEqual([])
})
