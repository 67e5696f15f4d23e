import { describe, expect } from 'vitest'
import { judgeSoFar, seeded } from '../../../support/at-risk.ts'
import { bookingBody, seats } from '../../../support/booking.ts'
import { buildMember, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { dualBody, expectOk } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'
import { buildTraining, enrol } from '../../../support/training.ts'

interface Told {
  rule: string
  code: string
  message: string
  orgUserId?: number
  details?: { known?: boolean }
  fix?: object
}

const pilot = { pilotCertificate: { grade: 'private', number: '1618033', ratings: ['ASEL'] } }

/** A school with the rule as it is by default: a warning. */
const test = schoolTest({ school: { settings: { rules: {} } } })
  .extend(
    'set',
    ({ api, school }) =>
      (body: object) =>
        expectOk(api, school.admin, 'PATCH', '/rules/pilot_rating', body),
  )
  .extend(
    'profile',
    ({ api, school }) =>
      (of: Member, body: object, who: Member = school.admin) =>
        expectOk(api, who, 'PATCH', `/orgUsers/${of.orgUserId}/profile`, body),
  )
  .extend(
    'trait',
    ({ api, school }) =>
      (traits: object) =>
        api.core.database.pool.query('update resource set traits = traits || $2 where id = $1', [
          school.plane.id,
          traits,
        ]),
  )
  .extend(
    'rental',
    ({ school }) =>
      (extra: object = {}) =>
        bookingBody(school, 'rental', { personnel: seats({ renters: [school.renter] }), ...extra }),
  )
  .extend('check', ({ api, school }) => async (body: object, who: Member = school.dispatcher) => {
    const { problems, warnings } = await expectOk<{ problems: Told[]; warnings: Told[] }>(
      api,
      ...([who, 'POST', '/reservations/check', body] as const),
    )
    const of = (told: Told[]) => told.filter(({ rule }) => rule === 'pilot_rating')
    return { problems: of(problems), warnings: of(warnings) }
  })
  .extend('atRisk', ({ api, school }) => async () => {
    await judgeSoFar(api, school.organizationId)
    const rows = await expectOk<{ id: number; problems: Told[] }[]>(
      api,
      school.dispatcher,
      'GET',
      '/reservations/atRisk?rule=pilot_rating&startDate=2026-11-01T00:00:00Z&endDate=2027-01-01T00:00:00Z',
    )
    return rows.map(({ id }) => id)
  })

describe('the rule pilot_rating (interface §Booking rules)', () => {
  test('asks a renter for a verified certificate, and warns in every answer that books', async ({
    api,
    school,
    rental,
    check,
    profile,
  }) => {
    const unknown = {
      code: 'RATING_MISSING',
      orgUserId: school.renter.orgUserId,
      details: { known: false },
      fix: { action: 'record_certificate', orgUserId: school.renter.orgUserId },
    }
    expect(await check(rental())).toMatchObject({ problems: [], warnings: [unknown] })
    const made = await api.as(school.dispatcher).post('/reservations', rental())
    expect([made.statusCode, made.json().warnings]).toEqual([201, [expect.objectContaining({ rule: 'pilot_rating' })]])
    // What a renter writes about themself stays unknown until somebody else verifies it.
    await profile(school.renter, pilot, school.renter)
    const next = rental({ start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' })
    expect((await check(next)).warnings).toMatchObject([unknown])
    await profile(school.renter, { verify: ['pilotCertificate'] })
    expect((await check(next)).warnings).toEqual([])
    await profile(school.renter, { pilotCertificate: { ratings: ['airplane_multi_engine_land'] } })
    expect((await check(next)).warnings).toMatchObject([{ details: { known: true } }])
    expect(await expectOk(api, school.admin, 'GET', `/orgUsers/${school.renter.orgUserId}/profile`)).toMatchObject({
      pilotCertificate: { ratings: ['airplane_multi_engine_land'] },
    })
  })

  test('takes a proven endorsement, or verified experience, for a complex airplane', async ({
    api,
    school,
    rental,
    check,
    profile,
    trait,
  }) => {
    await trait({ complex: true })
    await profile(school.renter, pilot)
    const fix = { action: 'sign_endorsement', codes: ['A.72'] }
    expect((await check(rental())).warnings).toMatchObject([{ fix, details: { known: true } }])
    const prior = { priorExperience: { loggedBefore: ['CPX'] } }
    await profile(school.renter, prior, school.renter)
    expect((await check(rental())).warnings).toMatchObject([{ fix }])
    await profile(school.renter, { verify: ['priorExperience'] })
    expect((await check(rental())).warnings).toEqual([])
    await profile(school.renter, { priorExperience: null })
    expect((await check(rental())).warnings).toMatchObject([{ fix }])
    const endorse = (extra: object) =>
      expectOk(api, school.instructor, 'POST', '/training/endorsements', {
        orgUserId: school.renter.orgUserId,
        templateCode: 'A.72',
        renderedText: 'May fly complex airplanes.',
        ...extra,
      })
    await endorse({})
    expect((await check(rental())).warnings).toMatchObject([{ fix }])
    await endorse({ signerCertificateNumber: '3141592CFI' })
    expect((await check(rental())).warnings).toEqual([])
  })

  test.for(['multi_engine_land', 'AMEL'])(
    'counts hours in the make and model of a twin from the log and from verified experience: class %s',
    async (named, { api, school, check, profile, trait }) => {
      await trait({ class: named, engines: 2 })
      const { pool } = api.core.database
      await pool.query(`update resource set make = 'Piper', model = 'PA-44' where id = $1`, [school.plane.id])
      await profile(school.instructor, {
        pilotCertificate: { grade: 'commercial', ratings: ['AMEL'] },
        instructorCertificate: { number: '31CFI', ratings: ['CFI-AME'] },
        priorExperience: { hours: [{ makeAndModel: 'piper pa44', picDeciHours: 30 }] },
      })
      const [short] = (await check(dualBody(school))).warnings
      expect(short?.message).toMatch(/has 3\.0 of 5\.0 hours as pilot in command in the Piper PA-44/)
      const past = dualBody(school, { start: '2026-11-02T10:00:00Z', end: '2026-11-02T12:00:00Z' })
      const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/reservations', past)
      await pool.query(
        `insert into flight_log (organization_id, reservation_id, membership_id, written_by, pic_tenths)
       values ($1, $2, $3, $3, 20)`,
        [school.organizationId, id, school.instructor.orgUserId],
      )
      expect((await check(dualBody(school))).warnings).toEqual([])
    },
  )

  test('asks for the instrument rating on both certificates when an instrument lesson is planned', async ({
    api,
    school,
    check,
    profile,
  }) => {
    await profile(school.instructor, {
      pilotCertificate: { grade: 'commercial', ratings: ['ASEL'] },
      instructorCertificate: { number: '31CFI', ratings: ['CFI-ASE'] },
    })
    const course = await buildTraining(api, school)
    await enrol(api, school, course, school.student)
    const planned = dualBody(school, { extra: { lessonId: course.lesson } })
    expect((await check(planned)).warnings).toEqual([])
    await expectOk(api, school.admin, 'PATCH', `/training/courses/${course.courseId}`, {
      certificateSought: 'instrument',
    })
    expect((await check(planned)).warnings).toMatchObject([{ message: expect.stringContaining('61.195(c)') }])
    expect((await check(dualBody(school))).warnings).toEqual([])
  })

  test('tells a renter on the flight nothing of another, and costs no statement more', async ({
    api,
    school,
    set,
    check,
  }) => {
    const other = await buildMember(api, school.organizationId, ['renter'])
    const body = bookingBody(school, 'rental', { personnel: seats({ renters: [other, school.renter] }) })
    const told = await expectOk<{ warnings: Told[] }>(
      api,
      ...([school.renter, 'POST', '/reservations/check', body] as const),
    )
    expect(told.warnings).toMatchObject([{ rule: 'eligibility', orgUserId: other.orgUserId }])
    expect(JSON.stringify(told)).not.toMatch(/certificate|61\.3/)
    const counted = async () => (await countStatements(api, () => check(dualBody(school)))).statements.length
    const withRule = await counted()
    await set({ enforcement: 'off' })
    expect(withRule).toBe(await counted())
  })
})

describe('the rule pilot_rating set to block', () => {
  test('only warns of what is not on record for 30 days, which run once and which nobody moves', async ({
    api,
    school,
    set,
    rental,
    check,
  }) => {
    const inDays = (days: number) => {
      api.clock.now = new Date(Date.parse('2026-11-01T12:00:00Z') + days * 86_400_000)
    }
    const later = rental({ start: '2027-01-20T10:00:00Z', end: '2027-01-20T12:00:00Z' })
    inDays(0)
    await set({ enforcement: 'block' })
    expect(await check(later)).toMatchObject({ problems: [], warnings: [{ details: { known: false } }] })
    inDays(20)
    await set({ enforcement: 'warn' })
    await set({ enforcement: 'block' })
    for (const body of [{ blockedSince: '2027-01-01T00:00:00Z', enforcement: 'block' }]) {
      await api.as(school.admin).patch('/rules/pilot_rating', body)
      await api.as(school.admin).patch('/organizations', { settings: { rules: { pilot_rating: body } } })
    }
    inDays(30)
    expect(await check(later)).toMatchObject({ problems: [], warnings: [{ details: { known: false } }] })
    inDays(31)
    expect(await check(later)).toMatchObject({ problems: [{ code: 'RATING_MISSING' }], warnings: [] })
    expect((await api.as(school.dispatcher).post('/reservations', later)).json()).toMatchObject({
      code: 'RATING_MISSING',
      details: { problems: [{ details: { known: false } }] },
    })
  })

  test('check, create, openings, release and at risk agree on random bookings', async ({
    api,
    school,
    set,
    rental,
    check,
    profile,
    trait,
    atRisk,
  }) => {
    const random = seeded(23)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    await set({ enforcement: 'block' })
    let refused = 0
    for (let day = 1; day <= 12; day += 1) {
      api.clock.now = new Date('2026-11-20T12:00:00Z')
      await trait({ complex: pick([true, false]), class: pick(['single_engine_land', 'multi_engine_land', null]) })
      await profile(school.renter, {
        pilotCertificate: {
          grade: pick(['student', 'private']),
          ratings: pick([['ASEL'], ['AMEL'], ['ASEL', 'AMEL']]),
        },
        priorExperience: { loggedBefore: pick([[], ['CPX']]) },
      })
      const on = `2026-12-${String(day).padStart(2, '0')}`
      const [start, end] = [`${on}T10:00:00Z`, `${on}T12:00:00Z`]
      const isRefused = (await check(rental({ start, end }))).problems.length > 0
      if (isRefused) refused += 1
      const openings = await expectOk<object[]>(
        api,
        school.dispatcher,
        'GET',
        `/reservations/openings?type=rental&startDate=${start}&endDate=${end}&durationMinutes=120&resourceId=${school.plane.id}&orgUserId=${school.renter.orgUserId}`,
      )
      expect(openings.length === 0).toBe(isRefused)
      const made = await api.as(school.dispatcher).post('/reservations', rental({ start, end }))
      expect(made.statusCode).toBe(isRefused ? 400 : 201)
      // A booking that stands is judged as a new one would be.
      await set({ enforcement: 'warn' })
      const id: number = isRefused
        ? (await api.as(school.dispatcher).post('/reservations', rental({ start, end }))).json().data.id
        : made.json().data.id
      await set({ enforcement: 'block' })
      expect((await atRisk()).includes(id)).toBe(isRefused)
      const release = await expectOk<{ checks: { rule: string; status: string }[] }>(
        api,
        school.dispatcher,
        'GET',
        `/reservations/${id}/release`,
      )
      expect(release.checks.some(({ rule, status }) => rule === 'pilot_rating' && status === 'block')).toBe(isRefused)
    }
    expect(refused).toBeGreaterThan(2)
    expect(refused).toBeLessThan(12)
  })

  test('names other instructors with whom the caller could book, on a refusal', async ({
    api,
    school,
    set,
    profile,
    check,
  }) => {
    const add = async (ratings: string[]) => {
      const member = await buildMember(api, school.organizationId, ['instructor'])
      await profile(member, {
        pilotCertificate: { grade: 'commercial', ratings: ['ASEL'] },
        instructorCertificate: { number: '31CFI', ratings },
      })
      return member.orgUserId
    }
    await profile(school.instructor, {
      pilotCertificate: { grade: 'commercial', ratings: ['ASEL'] },
      instructorCertificate: { number: '32CFI', ratings: ['CFI-G'] },
    })
    const body = dualBody(school)
    expect((await check(body)).warnings).toMatchObject([{ fix: { action: 'choose_instructor', orgUserIds: [] } }])
    await set({ enforcement: 'block' })
    expect((await check(body)).problems).toMatchObject([{ fix: { action: 'choose_instructor', orgUserIds: [] } }])
    const fit = [await add(['CFI-ASE']), await add(['airplane_single_engine'])]
    await add(['CFI-H'])
    const busy = await add(['CFI-ASE'])
    const personnel = seats({ instructors: [{ ...school.instructor, orgUserId: busy }] })
    const meeting = {
      title: 'Meeting',
      type: 'ground',
      resource: null,
      personnel: { ...personnel, ...seats({ students: [await buildMember(api, school.organizationId, ['student'])] }) },
    }
    await expectOk(api, school.dispatcher, 'POST', '/reservations', { ...body, ...meeting })
    const [problem] = (await check(body)).problems as { fix: { orgUserIds: number[] } }[]
    expect(problem!.fix.orgUserIds.toSorted()).toEqual(fit.toSorted())
    const refused = await api.as(school.dispatcher).post('/reservations', body)
    expect(refused.json().details.problems[0].fix.orgUserIds.toSorted()).toEqual(fit.toSorted())
    for (let more = 0; more < 5; more += 1) await add(['CFI-ASE'])
    expect(((await check(body)).problems as { fix: { orgUserIds: number[] } }[])[0]!.fix.orgUserIds).toHaveLength(5)
    const told = await expectOk<object>(api, school.student, 'POST', '/reservations/check', body)
    expect(JSON.stringify(told)).not.toContain('orgUserIds')
  })

  test('marks bookings at risk after each change of what it reads', async ({
    api,
    school,
    set,
    profile,
    trait,
    atRisk,
  }) => {
    await profile(school.instructor, {
      pilotCertificate: { grade: 'commercial', ratings: ['ASEL'] },
      instructorCertificate: { number: '31CFI', ratings: ['CFI-ASE'] },
    })
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', dualBody(school))
    expect(await atRisk()).toEqual([])
    await set({ enforcement: 'block' })
    expect(await atRisk()).toEqual([])
    await trait({ tailwheel: true })
    expect(await atRisk()).toEqual([id])
    const a75 = { orgUserId: school.instructor.orgUserId, templateCode: 'A.75', renderedText: 'Tailwheel.' }
    const colleague = await buildMember(api, school.organizationId, ['instructor'])
    await expectOk(api, colleague, 'POST', '/training/endorsements', { ...a75, signerCertificateNumber: '77CFI' })
    expect(await atRisk()).toEqual([])
    await profile(school.instructor, { instructorCertificate: { ratings: ['CFI-AME'] } })
    expect(await atRisk()).toEqual([id])
    await profile(school.instructor, { instructorCertificate: { ratings: ['CFI-ASE'] } })
    expect(await atRisk()).toEqual([])
    const course = await buildTraining(api, school)
    await enrol(api, school, course, school.student)
    await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${id}`, { lessonId: course.lesson })
    await expectOk(api, school.admin, 'PATCH', `/training/courses/${course.courseId}`, {
      certificateSought: 'instrument',
    })
    expect(await atRisk()).toEqual([id])
    await expectOk(api, school.dispatcher, 'PATCH', `/reservations/${id}`, { lessonId: null })
    expect(await atRisk()).toEqual([])
  })
})
