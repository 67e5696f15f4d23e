import { describe, expect } from 'vitest'
import { leafOf } from '../../../src/shared/platform/contracts/seal-leaf.ts'
import { keyOf, readSealed } from '../../../src/shared/platform/db/write-seals.ts'
import { buildPlane, type Member } from '../../support/builders.ts'
import { asOwner } from '../../support/database.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { bookDual, closedOutFlight, expectOk, fly, setRates } from '../../support/flights.ts'
import { buildManaged } from '../../support/managed.ts'
import { checkSeals } from '../../support/seals.ts'
import { buildTraining, enrol, gradeAndSign } from '../../support/training.ts'

const test = sharedSchoolTest().extend(
  'endorse',
  ({ api, school }) =>
    async (renderedText: string, who = school.instructor) =>
      api.as(who).post('/training/endorsements', {
        orgUserId: school.student.orgUserId,
        title: 'Free text',
        renderedText,
      }),
)

describe('what is signed is sealed', () => {
  test('an endorsement, with its signer and its member; a refused one leaves no seal and no gap', async ({
    api,
    school,
    endorse,
  }) => {
    const { id } = (await endorse('May fly solo.')).json().data
    expect((await endorse('May fly solo.', school.student)).statusCode).toBe(403)
    const last = (await checkSeals(api, school.organizationId)).at(-1)
    expect(last).toMatchObject({
      kind: 'endorsement.issued',
      id,
      memberId: school.student.orgUserId,
      signerId: school.instructor.orgUserId,
      authentic: true,
      intact: true,
    })
  })

  test('what becomes of an endorsement: it is confirmed, disowned, and superseded by another', async ({
    api,
    school,
  }) => {
    const { admin, instructor, student, organizationId } = school
    const text = { orgUserId: student.orgUserId, title: 'Solo', renderedText: 'May fly solo.' }
    const post = (who: Member, path: string, body: object) =>
      expectOk<{ id: number }>(api, who, 'POST', `/training/endorsements${path}`, body)
    const inTheirName = { ...text, signedBy: { orgUserId: instructor.orgUserId } }
    const { id: confirmed } = await post(admin, '', inTheirName)
    const { id: disowned } = await post(admin, '', inTheirName)
    const before = (await checkSeals(api, organizationId)).length
    await post(instructor, `/${confirmed}/confirm`, {})
    await post(instructor, `/${disowned}/disown`, {})
    const { id: next } = await post(instructor, '', { ...text, supersedesId: confirmed })
    const sealed = (await checkSeals(api, organizationId)).slice(before)
    expect(sealed.map(({ kind, id, signerId, intact }) => [kind, id, signerId, intact]).toSorted()).toEqual([
      ['endorsement.confirmed', confirmed, instructor.orgUserId, true],
      ['endorsement.disowned', disowned, instructor.orgUserId, true],
      ['endorsement.issued', next, instructor.orgUserId, true],
      ['endorsement.superseded', confirmed, instructor.orgUserId, true],
    ])
  })

  test('a correction of a billed flight whose signatures stand, and of what was signed no more than the figures', async ({
    api,
    school,
  }) => {
    const { admin, organizationId } = school
    await setRates(api, school)
    const day = { start: '2026-11-25T10:00:00Z', end: '2026-11-25T12:00:00Z' }
    const id = await closedOutFlight(api, school, day)
    await expectOk(api, admin, 'POST', `/reservations/${id}/invoices`)
    await api.core.database.pool.query(
      `update invoice set status = 'open', number = id where reservation_id = $1 and status = 'pending'`,
      [id],
    )
    const before = (await checkSeals(api, organizationId)).length
    const { hobbsTimeOut } = await expectOk<{ hobbsTimeOut: number }>(api, admin, 'GET', `/reservations/${id}`)
    const readings = { hobbsTimeOut, hobbsTimeIn: Math.round((hobbsTimeOut + 1.1) * 100) / 100 }
    const body = { readings, reason: 'Read wrong', refund: 'none' }
    await expectOk(api, admin, 'POST', `/reservations/${id}/correct`, { ...body, dryRun: true })
    expect((await checkSeals(api, organizationId)).length).toBe(before)
    await expectOk(api, admin, 'POST', `/reservations/${id}/correct`, body)
    const sealed = await checkSeals(api, organizationId)
    expect(sealed.slice(before)).toMatchObject([
      { kind: 'reservation.corrected', id, signerId: admin.orgUserId, intact: true, authentic: true },
    ])
    const ofFlight = sealed.filter((seal) => seal.id === id && seal.kind.startsWith('reservation.'))
    expect(ofFlight.map(({ kind, intact }) => [kind, intact])).toEqual([
      ['reservation.confirmed', false],
      ['reservation.confirmed', false],
      ['reservation.signed_off', true],
      ['reservation.corrected', true],
    ])
  })

  test('each signature on a flight, the sign-off, and the reopening', async ({ api, school }) => {
    const { instructor, student, dispatcher, organizationId } = school
    const before = (await checkSeals(api, organizationId)).length
    const id = await closedOutFlight(api, school)
    await expectOk(api, dispatcher, 'POST', `/reservations/${id}/reopen`, { reason: 'Wrong readings' })
    const sealed = (await checkSeals(api, organizationId)).slice(before)
    expect(sealed.map(({ kind, id: flight, signerId }) => [kind, flight, signerId])).toEqual([
      ['reservation.confirmed', id, instructor.orgUserId],
      ['reservation.confirmed', id, student.orgUserId],
      ['reservation.signed_off', id, student.orgUserId],
      ['reservation.reopened', id, dispatcher.orgUserId],
    ])
  })

  test('a correction of a flight, with its figures and the end of the signatures', async ({ api, school }) => {
    const { instructor, organizationId } = school
    const day = { start: '2026-11-24T10:00:00Z', end: '2026-11-24T12:00:00Z' }
    const id = await bookDual(api, school, day)
    await fly(api, school, id)
    await expectOk(api, instructor, 'POST', `/reservations/${id}/confirmReview`)
    const before = (await checkSeals(api, organizationId)).length
    const flown = await expectOk<{ hobbsTimeOut: number }>(api, instructor, 'GET', `/reservations/${id}`)
    for (const hours of [1.3, 1.2]) {
      const hobbsTimeIn = Number((flown.hobbsTimeOut + hours).toFixed(2))
      const body = { hobbsTimeOut: flown.hobbsTimeOut, hobbsTimeIn }
      await expectOk(api, instructor, 'POST', `/reservations/${id}/updateReviewTimes`, body)
    }
    const sealed = (await checkSeals(api, organizationId)).slice(before)
    expect(sealed.map(({ kind, intact }) => [kind, intact])).toEqual([
      ['reservation.reopened', true],
      ['reservation.corrected', false],
      ['reservation.corrected', true],
    ])
  })

  test('each act on a record of training, of whom and by whom', async ({ api, school }) => {
    const { admin, instructor, student, organizationId } = school
    const course = await buildTraining(api, school)
    const enrollment = await enrol(api, school, course, student)
    const before = (await checkSeals(api, organizationId)).length
    const first = await gradeAndSign(api, instructor, enrollment, course.lesson)
    await expectOk(api, student, 'POST', `/training/records/${first}/countersign`, {})
    await expectOk(api, admin, 'POST', `/training/enrollments/${enrollment}/certify`)
    await expectOk(api, instructor, 'POST', `/training/records/${first}/amend`, { reason: 'Wrong times' })
    const pdf = `/training/enrollments/${enrollment}/certificates/enrollment`
    expect((await api.as(student).get(pdf)).statusCode).toBe(200)
    const sealed = (await checkSeals(api, organizationId)).slice(before)
    expect(sealed.map(({ kind, memberId, signerId }) => [kind, memberId, signerId])).toEqual([
      ['training_record.signed', student.orgUserId, instructor.orgUserId],
      ['training_record.countersigned', student.orgUserId, student.orgUserId],
      ['enrollment.certified', student.orgUserId, admin.orgUserId],
      ['enrollment.certification_removed', student.orgUserId, instructor.orgUserId],
      ['training_record.amended', student.orgUserId, instructor.orgUserId],
      ['certificate.issued', student.orgUserId, student.orgUserId],
    ])
    // The certification was removed, and that has a seal of its own.
    expect(sealed.filter(({ intact }) => !intact).map(({ kind }) => kind)).toEqual(['enrollment.certified'])
  })

  test('completed maintenance, its undoing, and their deletion with the reminder or the aircraft', async ({
    api,
    school,
  }) => {
    const { technician, admin, organizationId } = school
    const plane = await buildPlane(api, school)
    const complete = async (name: string) => {
      const body = { resource: { id: plane.id }, name, basis: 'calendar', intervalMonths: 12 }
      const { id } = await expectOk<{ id: number }>(api, technician, 'POST', '/maintenance/reminders', body)
      await expectOk(api, technician, 'POST', `/maintenance/reminders/${id}/complete`)
      return id
    }
    const before = (await checkSeals(api, organizationId)).length
    const annual = await complete('Annual')
    const transponder = await complete('Transponder')
    const [undone] = await expectOk<{ id: number }[]>(
      api,
      technician,
      'GET',
      `/maintenance/reminders/${transponder}/history`,
    )
    const undo = { token: admin.token, body: { reason: 'Typing error' } }
    expect((await api.call('DELETE', `/maintenance/completions/${undone!.id}`, undo)).statusCode).toBe(200)
    expect((await api.as(technician).delete(`/maintenance/reminders/${annual}`)).statusCode).toBe(204)
    expect((await api.as(admin).delete(`/resources/${plane.id}`)).statusCode).toBe(204)
    const sealed = (await checkSeals(api, organizationId)).slice(before)
    const [first, second, reversal] = sealed.map(({ id }) => id)
    expect(sealed.map(({ kind, id }) => [kind, id])).toEqual([
      ['maintenance.completed', first],
      ['maintenance.completed', second],
      ['maintenance.completion_undone', reversal],
      ['maintenance.completion_deleted', first],
      ['maintenance.completion_deleted', second],
      ['maintenance.reversal_deleted', reversal],
    ])
  })

  test('a merge, an erasure and the deletion of a paper leave what was signed as it was', async ({ api, school }) => {
    const { owner, admin, instructor, organizationId } = school
    const [from, into] = [
      await buildManaged(api, school, { student: true }),
      await buildManaged(api, school, { student: true }),
    ]
    const course = await buildTraining(api, school)
    const enrollment = await enrol(api, school, course, from as Member)
    await gradeAndSign(api, instructor, enrollment, course.lesson)
    const scan = { title: 'Solo', category: 'certificate', fileName: 'solo.pdf', orgUserId: from.orgUserId }
    const { id: documentId } = await expectOk<{ id: number }>(api, admin, 'POST', '/documents', scan)
    await api.core.database.db.updateTable('document').set({ upload: 'stored' }).where('id', '=', documentId).execute()
    const paper = { renderedText: 'May fly solo.', title: 'Solo', documentId, signedBy: { name: 'Ida Paper' } }
    await expectOk(api, admin, 'POST', '/training/endorsements', { orgUserId: from.orgUserId, ...paper })
    await expectOk(api, admin, 'POST', `/orgUsers/${from.orgUserId}/merge`, { intoOrgUserId: into.orgUserId })
    expect((await api.as(admin).delete(`/orgUsers/${into.orgUserId}`)).statusCode).toBe(204)
    await expectOk(api, owner, 'POST', `/orgUsers/${into.orgUserId}/erase`, { reason: 'Asked for it' })
    const sealed = await checkSeals(api, organizationId)
    expect(sealed.slice(-2).map(({ kind, id, memberId }) => [kind, id, memberId])).toEqual([
      ['member.merged', into.orgUserId, from.orgUserId],
      ['member.erased', into.orgUserId, into.orgUserId],
    ])
    const theirs = sealed.filter(({ memberId }) => memberId === from.orgUserId)
    expect(theirs.map(({ kind, intact }) => [kind, intact])).toEqual([
      ['training_record.signed', true],
      ['endorsement.issued', true],
      ['member.merged', true],
    ])
  })

  test('sixteen at once get sixteen numbers without a gap', async ({ api, school, endorse }) => {
    await Promise.all(Array.from({ length: 16 }, (_, index) => endorse(`May fly to airport ${index}.`)))
    const numbers = (await checkSeals(api, school.organizationId)).map(({ number }) => number)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    expect(numbers.length).toBeGreaterThanOrEqual(16)
  })

  test('a text that the owner of the tables changes no longer agrees with its seal', async ({
    api,
    school,
    endorse,
  }) => {
    const { id } = (await endorse('May fly solo in a 172.')).json().data
    await asOwner(
      api,
      `alter table endorsement disable trigger user;
       update endorsement set rendered_text = 'May fly solo in a 182.' where id = ${id};
       alter table endorsement enable trigger user`,
    )
    const seals = await checkSeals(api, school.organizationId)
    expect(seals.filter(({ intact, kind }) => !intact && kind === 'endorsement.issued').map((seal) => seal.id)).toEqual(
      [id],
    )
    expect(seals.every(({ authentic }) => authentic)).toBe(true)
  })

  test('an owner of the tables who seals a change again, or renumbers seals, lacks the code', async ({
    api,
    school,
    endorse,
  }) => {
    const { organizationId } = school
    const { id } = (await endorse('May fly to Oakland.')).json().data
    const last = (await checkSeals(api, organizationId)).at(-1)!
    const salt = Buffer.alloc(16, 7)
    const change = async (statements: string, values: unknown[] = []) => {
      await asOwner(api, 'alter table seal disable trigger user; alter table endorsement disable trigger user')
      await asOwner(api, statements, values)
      await asOwner(api, 'alter table seal enable trigger user; alter table endorsement enable trigger user')
    }
    await change(`update endorsement set rendered_text = 'May fly to Reno.' where id = $1`, [id])
    const contents = await readSealed(api.core.database.db, [last])
    const leaf = leafOf(last, contents.get(keyOf(last)) ?? {}, salt)
    await change('update seal set salt = $1, leaf = $2 where organization_id = $3 and number = $4', [
      salt,
      leaf,
      organizationId,
      last.number,
    ])
    expect((await checkSeals(api, organizationId)).at(-1)).toMatchObject({ id, intact: true, authentic: false })
    await endorse('May fly to Napa.')
    await change('delete from seal where organization_id = $1 and number = $2', [organizationId, last.number])
    await change('update seal set number = $2 where organization_id = $1 and number = $2 + 1', [
      organizationId,
      last.number,
    ])
    expect((await checkSeals(api, organizationId)).at(-1)).toMatchObject({ number: last.number, authentic: false })
  })

  test('nobody changes or deletes a seal, not even the owner of the tables', async ({ api, endorse }) => {
    await endorse('May fly solo at night.')
    for (const statement of ['update seal set number = number + 1000', 'delete from seal']) {
      await expect(asOwner(api, statement)).rejects.toThrow('seal is append-only')
    }
  })
})
