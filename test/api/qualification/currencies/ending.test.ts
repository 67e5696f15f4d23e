import { describe, expect } from 'vitest'
import { book, refusedBooking } from '../../../support/booking.ts'
import { buildMember, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { closedOutFlight, dualBody, expectOk } from '../../../support/flights.ts'
import { buildTraining, enrol } from '../../../support/training.ts'

/** The tests' time is 21 November 2026, 12:00 UTC; the school's zone is UTC. */
const ending = { on: '2026-11-20', because: 'denied', note: 'Letter of the agency' }
const examined = { class: 'third', examinedAt: '2026-06-01T12:00:00Z' }

const test = schoolTest()
  .extend('medical', async ({ api, school }) => {
    const body = { name: 'Medical', kind: 'medical', roles: ['student'], enforcement: 'block' }
    const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/currencies', body)
    await expectOk(api, school.admin, 'PUT', `/orgUsers/${school.student.orgUserId}/currencies/${id}`, examined)
    return id
  })
  .extend(
    'of',
    ({ school, medical }) =>
      (action = '', member: Member = school.student, id = medical) =>
        `/orgUsers/${member.orgUserId}/currencies/${id}${action}`,
  )
  .extend(
    'end',
    ({ api, of }) =>
      (who: Member, body: object = {}) =>
        api.as(who).post(of('/end'), { ...ending, ...body }),
  )
  .extend(
    'resume',
    ({ api, of }) =>
      (who: Member) =>
        api.as(who).post(of('/resume'), {}),
  )
  .extend(
    'record',
    ({ api, of, school }) =>
      async (who: Member, body: object, verifier: Member | null = null, over: object = {}) => {
        if (!verifier) return api.as(who).put(of(), { ...examined, ...body })
        const document = {
          title: 'Medical',
          category: 'medical',
          fileName: 'medical.pdf',
          orgUserId: school.student.orgUserId,
        }
        const { id } = await expectOk<{ id: number }>(api, verifier, 'POST', '/documents', document)
        const { pool } = api.core.database
        const { upload, category } = { upload: 'stored', category: 'medical', ...over }
        await pool.query(
          `update document set upload = $3, category = $4, status = 'verified', verified_by = $2, verified_at = now() where id = $1`,
          [id, verifier.orgUserId, upload, category],
        )
        return api.as(who).put(of(), { ...examined, ...body, documentId: id })
      },
  )

describe('a currency that is ended early (§Currencies)', () => {
  test('is expired from the day on which it was ended, and only the member and admins read why', async ({
    api,
    school,
    end,
    of,
  }) => {
    const { student, admin, owner, instructor, dispatcher } = school
    const answer = await end(student)
    expect(answer.statusCode).toBe(200)
    const fact = { status: 'expired', endedEarly: true, endedOn: '2026-11-20', validUntil: '2026-11-19' }
    expect(answer.json().data).toMatchObject({
      ...fact,
      expiresAt: '2026-11-20T00:00:00.000Z',
      needs: [{ action: 'record', by: null }, { action: 'birth_date' }],
      endedBecause: 'denied',
      endedNote: ending.note,
      flightsSince: null,
    })
    const list = `/orgUsers/${student.orgUserId}/currencies`
    for (const who of [admin, owner]) {
      const why = { endedBecause: 'denied', endedNote: ending.note, flightsSince: [] }
      expect(await expectOk(api, who, 'GET', list)).toMatchObject([{ ...fact, ...why }])
    }
    for (const who of [instructor, dispatcher]) {
      const hidden = { endedBecause: null, endedNote: null, flightsSince: null }
      expect(await expectOk(api, who, 'GET', list)).toMatchObject([{ ...fact, ...hidden }])
    }
    expect(await expectOk(api, admin, 'GET', '/reports/currencies')).toContainEqual(
      expect.objectContaining({ orgUserId: student.orgUserId, status: 'expired', validUntil: '2026-11-19' }),
    )
    expect(await expectOk(api, student, 'GET', '/todo/me')).toMatchObject([
      { kind: 'renew_currency', since: '2026-11-20T00:00:00.000Z', action: { method: 'PUT', path: of() } },
    ])
  })

  test('is ended by the member, admins and their own instructor; resumed by another admin', async ({
    api,
    school,
    end,
    resume,
    of,
  }) => {
    const { student, admin, owner, instructor, dispatcher, renter } = school
    const another = await buildMember(api, school.organizationId, ['instructor'])
    await expectOk(api, dispatcher, 'POST', '/reservations', dualBody(school))
    for (const who of [dispatcher, renter, another]) expect((await end(who)).statusCode).toBe(403)
    for (const who of [student, admin, owner, instructor]) {
      expect((await end(who)).statusCode).toBe(200)
      expect((await end(admin)).json()).toMatchObject({ code: 'CURRENCY_ENDED' })
      for (const other of [student, instructor, dispatcher]) expect((await resume(other)).statusCode).toBe(403)
      expect((await resume(admin)).json().data).toMatchObject({ status: 'current', endedEarly: false, endedOn: null })
      expect((await resume(admin)).json()).toMatchObject({ code: 'CURRENCY_NOT_ENDED' })
    }
    const own = (action: string) => of(action, admin)
    await expectOk(api, owner, 'PUT', own(''), examined)
    await expectOk(api, admin, 'POST', own('/end'), ending)
    expect((await api.as(admin).post(own('/resume'), {})).statusCode).toBe(403)
    expect((await api.as(owner).post(own('/resume'), {})).statusCode).toBe(200)
  })

  test('may be an instructor certificate that stands in the profile alone', async ({ api, school, of }) => {
    const { instructor, admin } = school
    const { pool } = api.core.database
    const body = { name: 'Certificate', kind: 'instructor_certificate', roles: ['instructor'] }
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/currencies', body)
    const act = async (action: string, who: Member, sent: object = {}) => {
      const answer = await api.as(who).post(of(action, instructor, id), sent)
      return [answer.statusCode, answer.json().data ?? answer.json().code]
    }
    expect(await act('/end', instructor, ending)).toMatchObject([409, 'NOTHING_TO_END'])
    const verified = { instructorCertificate: { value: { number: '31CFI', validUntil: '2026-12-21' } } }
    await pool.query(
      `insert into member_profile (organization_id, membership_id, facts, verified) values ($1, $2, '{}', $3)`,
      [school.organizationId, instructor.orgUserId, JSON.stringify(verified)],
    )
    const all = await Promise.all([1, 2, 3].map(() => act('/end', instructor, { ...ending, because: 'surrendered' })))
    const ended = { status: 'expired', endedEarly: true, endedOn: '2026-11-20', validUntil: '2026-11-19' }
    expect(all.filter(([status]) => status === 200)).toMatchObject([[200, ended]])
    expect(all.filter(([, code]) => code === 'CURRENCY_ENDED')).toHaveLength(2)
    expect(await act('/resume', admin)).toMatchObject([
      200,
      { validUntil: '2026-12-21', endedEarly: false, endedOn: null, completedAt: null, evidence: [] },
    ])
    // The day was wrong: it ended earlier.
    expect(await act('/end', instructor, { ...ending, on: '2026-11-10' })).toMatchObject([
      200,
      { endedOn: '2026-11-10', validUntil: '2026-11-09' },
    ])
  })

  test('may be an instructor certificate of the profile that has no end', async ({ api, school, of }) => {
    const { instructor, admin } = school
    const body = { name: 'Certificate', kind: 'instructor_certificate', roles: ['instructor'] }
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/currencies', body)
    await api.core.database.pool.query(
      `insert into member_profile (organization_id, membership_id, facts, verified) values ($1, $2, '{}', $3)`,
      [school.organizationId, instructor.orgUserId, { instructorCertificate: { value: { number: '31CFI' } } }],
    )
    const ended = await expectOk(api, instructor, 'POST', of('/end', instructor, id), {
      ...ending,
      because: 'surrendered',
    })
    expect(ended).toMatchObject({ endedEarly: true, endedOn: '2026-11-20', validUntil: '2026-11-19' })
    expect(await expectOk(api, admin, 'POST', of('/resume', instructor, id), {})).toMatchObject({
      validUntil: null,
      endedEarly: false,
    })
  })

  test('is not ended by an instructor whom the student has left for another, though they flew within 60 days', async ({
    api,
    school,
    end,
    resume,
  }) => {
    const { student, admin, instructor, dispatcher, organizationId } = school
    await expectOk(api, dispatcher, 'POST', '/reservations', dualBody(school))
    const another = await buildMember(api, organizationId, ['instructor'])
    const course = await buildTraining(api, school)
    const enrolled = (by: Member) => enrol(api, school, course, student, { instructorOrgUserId: by.orgUserId })
    const first = await enrolled(another)
    expect((await end(instructor)).statusCode).toBe(403)
    expect((await end(another)).statusCode).toBe(200)
    await resume(admin)
    await api.core.database.pool.query(`update enrollment set status = 'terminated', ended_at = now() where id = $1`, [
      first,
    ])
    expect((await end(instructor)).statusCode).toBe(200)
  })

  test('is not ended by an instructor who changed the instructor of the enrollment, to themself or to nobody', async ({
    api,
    school,
    end,
  }) => {
    const { student, admin, instructor, dispatcher, organizationId } = school
    const another = await buildMember(api, organizationId, ['instructor'])
    const course = await buildTraining(api, school)
    const id = await enrol(api, school, course, student, { instructorOrgUserId: another.orgUserId })
    const assign = (by: Member, to: Member | null) =>
      expectOk(api, by, 'PATCH', `/training/enrollments/${id}`, { instructorOrgUserId: to?.orgUserId ?? null })
    const ends = async () => (await end(instructor)).statusCode
    await assign(instructor, instructor)
    expect(await ends()).toBe(403)
    await expectOk(api, dispatcher, 'POST', '/reservations', dualBody(school))
    expect(await ends()).toBe(403)
    await assign(instructor, null)
    expect(await ends()).toBe(403)
    const audit = await expectOk(api, admin, 'GET', `/audit?subject=enrollment:${id}`)
    const { orgUserId } = instructor
    expect(audit).toMatchObject([
      { before: { instructorOrgUserId: orgUserId }, after: { instructorOrgUserId: null } },
      { before: { instructorOrgUserId: another.orgUserId }, after: { instructorOrgUserId: orgUserId } },
    ])
    await assign(admin, instructor)
    expect(await ends()).toBe(200)
  })

  test('lists the flights since for admins, and changes nothing of them', async ({ api, school, end, medical }) => {
    await api.core.database.pool.query(`update currency set enforcement = 'warn' where id = $1`, [medical])
    const flight = await closedOutFlight(api, school, { start: '2026-11-20T10:00:00Z', end: '2026-11-20T12:00:00Z' })
    await closedOutFlight(api, school, { start: '2026-11-18T10:00:00Z', end: '2026-11-18T12:00:00Z' })
    const before = await expectOk(api, school.admin, 'GET', `/reservations/${flight}`)
    const answer = await end(school.admin)
    expect(answer.json().data.flightsSince).toEqual([{ id: flight, start: '2026-11-20T10:00:00.000Z' }])
    expect(await expectOk(api, school.admin, 'GET', `/reservations/${flight}`)).toEqual(before)
  })

  test.for([
    ['a day ahead', { on: '2026-11-22' }, 'on: is in the future'],
    ['61 days ago', { on: '2026-09-21' }, 'on: is more than 60 days ago'],
    ['no day', { on: '2026-11-31' }, 'on: must be a day, YYYY-MM-DD, or a date and time'],
    ['another reason', { because: 'age' }, 'because: must be one of'],
  ] as const)('is refused with %s', async ([, body, message], { end, school }) => {
    const answer = await end(school.admin, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().message).toContain(message)
  })

  test('is refused before its record, without one, and for a kind that follows from flights or checks', async ({
    api,
    school,
    end,
    of,
    record,
  }) => {
    await record(school.admin, { examinedAt: '2026-11-20T12:00:00Z' })
    expect((await end(school.admin, { on: '2026-11-19' })).json().message).toBe(
      'on: is before the recorded date, 2026-11-20',
    )
    const none = await api.as(school.admin).post(of('/end', school.renter), ending)
    expect([none.statusCode, none.json().code]).toEqual([409, 'NOTHING_TO_END'])
    for (const kind of ['flight_review', 'passenger_day', 'instrument', 'recent_flights']) {
      const counted = kind === 'recent_flights' ? { count: 1, days: 90 } : {}
      const body = { name: kind, kind, ...counted }
      const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/currencies', body)
      const refused = await api.as(school.admin).post(of('/end', school.student, id), ending)
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'COMPUTED'])
    }
  })

  test('begins again with later dates, a verified document and somebody else; earlier dates leave it ended', async ({
    school,
    end,
    record,
  }) => {
    const { admin, owner, instructor } = school
    await end(admin)
    const late = { examinedAt: '2026-11-21T09:00:00Z' }
    const early = { examinedAt: '2026-11-20T23:00:00Z' }
    // An admin who resumes it would make them count.
    for (const dates of [early, late]) {
      const unproven = await record(instructor, dates)
      expect([unproven.statusCode, unproven.json().message]).toEqual([
        400,
        'documentId: an ended currency takes new dates only with a verified document',
      ])
      expect((await record(admin, dates, owner)).statusCode).toBe(403)
      for (const document of [{ category: 'other' }, { upload: 'awaited' }]) {
        expect((await record(instructor, dates, owner, document)).statusCode).toBe(400)
      }
    }
    expect((await record(instructor, early, owner)).json().data).toMatchObject({
      status: 'expired',
      endedOn: '2026-11-20',
    })
    expect((await record(instructor, late, owner)).json().data).toMatchObject({
      status: 'current',
      endedEarly: false,
      endedOn: null,
      endedBecause: null,
    })
  })

  test('has each end and each new beginning in the audit log, without reason and note', async ({
    api,
    school,
    end,
    resume,
    medical,
  }) => {
    await end(school.student)
    await resume(school.admin)
    const audit = await expectOk(api, school.owner, 'GET', `/audit?subject=member:${school.student.orgUserId}`)
    expect(audit).toMatchObject([
      { action: 'currency.resumed', after: { currencyId: medical } },
      { action: 'currency.ended', after: { currencyId: medical, on: '2026-11-20' } },
    ])
    expect(JSON.stringify(audit)).not.toMatch(/denied|agency/)
  })

  test('refuses bookings and openings and warns at the release, saying only that it ended', async ({
    api,
    school,
    end,
    medical,
  }) => {
    const { student, dispatcher, renter } = school
    const start = '2026-11-24T10:00:00Z'
    const later = dualBody(school, { start, end: '2026-11-24T12:00:00Z' })
    const booked = (await book(api, dispatcher, dualBody(school))).json().data.id
    await end(student)
    const rule = `currency:${medical}`
    const message = `${student.name} is not current: Medical (ended 2026-11-20)`
    expect(await refusedBooking(api, dispatcher, later)).toMatchObject([{ rule, code: 'NOT_CURRENT', message }])
    expect(await expectOk(api, dispatcher, 'POST', '/reservations/check', later)).toMatchObject({
      ok: false,
      problems: [{ rule, message }],
    })
    const release = await expectOk<{ checks: object[] }>(api, dispatcher, 'GET', `/reservations/${booked}/release`)
    expect(release.checks).toContainEqual(expect.objectContaining({ rule, status: 'block', message }))
    const stranger = await buildMember(api, school.organizationId, ['renter'])
    const shared = {
      ...later,
      type: 'shared',
      personnel: { pilots: [renter, student].map(({ orgUserId }) => ({ orgUserId })) },
    }
    const asked = await api.as(stranger).post('/reservations/check', shared)
    expect(JSON.stringify(asked.json())).not.toMatch(/ended|Medical/)
  })

  test('is ended once by people who race', async ({ school, end }) => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => end(school.admin)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(15).fill(409)])
  })
})

describe('a member who is grounded as pilot in command (§Reservations rule 6)', () => {
  test('flies with an instructor and not alone; only desk staff and the member see it', async ({ api, school }) => {
    const { admin, student, dispatcher, instructor } = school
    const url = `/orgUsers/${student.orgUserId}`
    await api.core.database.pool.query('update currency set enforcement = $1 where organization_id = $2', [
      'off',
      school.organizationId,
    ])
    expect(await expectOk(api, admin, 'PATCH', url, { grounded: true })).toMatchObject({ groundedFor: 'all' })
    expect(await refusedBooking(api, dispatcher, dualBody(school))).toMatchObject([{ rule: 'person_grounded' }])
    expect(await expectOk(api, admin, 'PATCH', url, { groundedFor: 'pic' })).toMatchObject({ groundedFor: 'pic' })
    expect((await book(api, dispatcher, dualBody(school))).statusCode).toBe(201)
    const alone = dualBody(school, { start: '2026-11-25T10:00:00Z', end: '2026-11-25T12:00:00Z' })
    const solo = { ...alone, type: 'solo', personnel: { students: [{ orgUserId: student.orgUserId }] } }
    expect(await refusedBooking(api, dispatcher, solo)).toContainEqual(
      expect.objectContaining({ rule: 'person_grounded' }),
    )
    for (const [who, groundedFor] of [
      [student, 'pic'],
      [dispatcher, 'pic'],
      [instructor, null],
    ] as const) {
      expect(await expectOk(api, who, 'GET', url)).toMatchObject({ grounded: true, groundedFor })
    }
    expect(await expectOk(api, admin, 'PATCH', url, { grounded: false })).toMatchObject({ groundedFor: null })
    const refused = await api.as(admin).patch(url, { groundedFor: 'pic' })
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'groundedFor: the member is not grounded'])
  })
})
