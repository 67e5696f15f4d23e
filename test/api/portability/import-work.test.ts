import { describe, expect } from 'vitest'
import { buildMember } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { importAs, importTwice } from '../../support/imports.ts'
import { buildTraining } from '../../support/training.ts'

const test = schoolTest()
  .extend('owner', ({ api, school }) => buildMember(api, school.organizationId, ['owner', 'admin']))
  .extend('ana', async ({ api, owner }) => {
    const rows = [{ name: 'Ana Ruiz', externalId: 'M-1', email: 'ana@example.com', roles: 'student' }]
    return (await importAs(api, owner, { kind: 'members', rows })).rows[0]!.id!
  })

const refused = ['refused', 'refused', 'refused']

describe('an import of what goes on at a school (§Imports)', () => {
  test('of endorsements keeps them as they were signed', async ({ api, owner, ana }) => {
    const text =
      'Student,Code,Title,Text,Signed on,Signed by,CFI number,Expires\n' +
      'M-1,A.6,,Ana may fly the N5240T solo.,2025-12-01,Isabel Soto,3141592CFI,\n' +
      'M-1,a.3,,,2025-06-01,Isabel Soto,,\nM-1,,Mountain flying,,2025-06-01,Isabel Soto,,never\n' +
      'M-1,A.999,,,2025-06-01,Isabel Soto,,\nM-1,,,,2025-06-01,Isabel Soto,,\nM-1,A.6,,,2199-06-01,Isabel Soto,,\n' +
      'M-1,A.10,,,2025-12-01,Isabel Soto,,\n'
    expect(await importTwice(api, owner, 'endorsements', text)).toMatchObject({
      first: ['created', 'created', 'created', ...refused, 'refused'],
      second: ['unchanged', 'unchanged', 'unchanged', ...refused, 'refused'],
      problems: [
        ...['', '', ''],
        'code: is no endorsement of AC 61-65H',
        'title: is missing: an endorsement has a code, or a title of its own',
        'signedAt: must not lie in the future',
        'expiresAt: is missing: the endorsement is for one flight; give its day',
      ],
    })
    const all = await expectOk<{ title: string }[]>(api, owner, 'GET', `/training/endorsements?orgUserId=${ana}`)
    expect(all).toContainEqual(
      expect.objectContaining({
        templateCode: 'A.6',
        edition: 'AC 61-65K',
        renderedText: 'Ana may fly the N5240T solo.',
        imported: true,
        signedBy: { orgUserId: null, name: 'Isabel Soto', certificateNumber: '3141592CFI' },
        signedAt: '2025-12-01T00:00:00.000Z',
        unproven: true,
      }),
    )
    expect(all).toContainEqual(
      expect.objectContaining({ title: 'Mountain flying', templateCode: null, expiresAt: null }),
    )
  })

  test('of courses under way enrols and credits, each credit once', async ({ api, school, owner, ana }) => {
    await buildTraining(api, school)
    const course = 'Private pilot'
    const [hours, landings] = ['hours', 'LANDINGS']
    const text =
      'Student,Course,Started,Requirement,deciHours,Landings,Source,Date,Notes\n' +
      `M-1,${course},2025-09-01,${hours},125,,transfer,2025-10-01,\nM-1,${course},,${hours},20,,,2025-10-02,\n` +
      `M-1,${course},,${landings},,7,manual,,Logbook page 3\nM-1,Nothing,,,,,,,\n` +
      `M-1,${course},,${hours},,3,,,\nM-1,${course},,Zz,1,,,,\n${school.student.email},${course},2199-01-01,,,,,,\n`
    expect(await importTwice(api, owner, 'enrollments', text)).toMatchObject({
      first: ['created', 'updated', 'updated', ...refused, 'refused'],
      second: ['unchanged', 'unchanged', 'unchanged', ...refused, 'refused'],
      problems: [
        ...['', '', ''],
        'course: must be a course with a published version; publish the course first',
        expect.stringMatching(/^count: /),
        'requirementCode: must be one of HOURS, LANDINGS',
        'enrolledAt: is in the future',
      ],
    })
    const [enrollment] = await expectOk<{ id: number }[]>(api, owner, 'GET', `/training/enrollments?orgUserId=${ana}`)
    expect(enrollment).toMatchObject({ createdAt: '2025-09-01T00:00:00.000Z' })
  })

  test('of maintenance items adds one of several limits, due from when it was last done', async ({
    api,
    school,
    owner,
  }) => {
    const text =
      'Aircraft,Name,Kind,Basis,Months,Hours,Last done,Last reading,Grounding\n' +
      `${school.plane.name},Hundreds,hundred_hour,hobbs,,100,,4200,yes\n${school.plane.name},Oil,other,calendar,4,,2025-12-01,,no\n` +
      `${school.plane.name},Oil,other,hobbs,,50,,4180.5,\n${school.plane.name},Seat,,calendar,,,,,\n`
    await api.core.database.pool.query('update resource set hobbs_hundredths = 421410 where id = $1', [school.plane.id])
    expect(await importTwice(api, owner, 'reminders', text)).toMatchObject({
      first: ['created', 'created', 'updated', 'refused'],
      second: ['unchanged', 'unchanged', 'unchanged', 'refused'],
      problems: ['', '', '', expect.stringContaining('intervalMonths: ')],
    })
    const items = await expectOk<object[]>(api, owner, 'GET', `/maintenance/reminders?resourceId=${school.plane.id}`)
    expect(items).toContainEqual(expect.objectContaining({ name: 'Hundreds', kind: 'hundred_hour' }))
    expect(items).toContainEqual(
      expect.objectContaining({
        name: 'Oil',
        kind: 'other',
        grounding: false,
        limits: [
          expect.objectContaining({ basis: 'calendar', dueAt: expect.stringMatching(/^2026-04-30/) }),
          expect.objectContaining({ basis: 'hobbs', dueReading: 4230.5 }),
        ],
      }),
    )
  })

  test('of maintenance items says which readings look like typos, and stores them', async ({ api, school, owner }) => {
    await api.core.database.pool.query('update resource set hobbs_hundredths = 421410 where id = $1', [school.plane.id])
    const rows = ['Hundreds,hobbs,100,29200', 'Oil,hobbs,50,4180'].map((row) => `${school.plane.name},${row}\n`)
    const text = `Aircraft,Name,Basis,Hours,Last reading\n${rows.join('')}`
    expect(await importTwice(api, owner, 'reminders', text)).toMatchObject({
      first: ['created', 'created'],
      second: ['unchanged', 'unchanged'],
      problems: ['lastDoneReading: is stored, but is above the present reading of the aircraft, 4214.1', ''],
    })
    const lower = await importTwice(api, owner, 'reminders', text.replace('4180', '4080'))
    expect([lower.first[1], lower.problems[1]]).toEqual([
      'updated',
      'lastDoneReading: is stored, but is below the reading of the last completion, 4180',
    ])
  })

  test('of bookings judges them as the desk’s, and finds them by aircraft and start', async ({
    api,
    school,
    owner,
  }) => {
    const { plane, student, instructor } = school
    const row = `Lesson 4,dual,${plane.name},${student.email},${instructor.email}`
    const text =
      'Title,Type,Aircraft,Student,Instructor,Start,End\n' +
      `${row},2027-03-15 10:00,2027-03-15 12:00\n${row},2027-03-15 11:00,2027-03-15 13:00\n` +
      `${row},2020-03-15 11:00,2020-03-15 13:00\nLesson 5,dual,${plane.name},M-99,,2027-03-16 10:00,2027-03-16 12:00\n`
    expect(await importTwice(api, owner, 'reservations', text)).toMatchObject({
      first: ['created', 'refused', 'refused', 'refused'],
      second: ['unchanged', 'refused', 'refused', 'refused'],
      problems: [
        '',
        expect.stringMatching(/^resource: .*(booked|taken)/),
        'start: is in the past; only future bookings are imported',
        expect.stringMatching(/^students: is no member/),
      ],
    })
    const longer = await importAs(api, owner, { kind: 'reservations', text: text.replace('12:00', '12:30') })
    expect(longer.rows[0]).toMatchObject({
      outcome: 'unchanged',
      problems: [{ message: 'The booking exists with another end or type; change it at the desk.' }],
    })
    // The key by which nobody is notified of each.
    const events = api.core.database.db.selectFrom('event').select('after').where('kind', '=', 'reservation.created')
    expect(await events.execute()).toEqual([{ after: { operationId: expect.any(Number) } }])
  })
})
