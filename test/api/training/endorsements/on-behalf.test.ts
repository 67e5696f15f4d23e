import { describe, expect } from 'vitest'
import { bookingBody, seats } from '../../../support/booking.ts'
import { buildMember, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'

interface Made {
  id: number
  unproven: boolean
}

const test = schoolTest()
  .extend(
    'record',
    ({ api, school }) =>
      (signedBy: object | null, more: object = {}, who: Member = school.admin) =>
        api.as(who).post('/training/endorsements', {
          orgUserId: school.student.orgUserId,
          renderedText: 'May fly solo.',
          signedBy,
          templateCode: 'A.6',
          parameters: { makeAndModel: 'C172' },
          signerCertificateNumber: '3141592CFI',
          ...more,
        }),
  )
  .extend(
    'answer',
    ({ api }) =>
      (who: Member, { id }: { id: number }, verb: 'confirm' | 'disown') =>
        api.as(who).post(`/training/endorsements/${id}/${verb}`, {}),
  )
  .extend('missing', ({ api, school }) => async () => {
    const solo = bookingBody(school, 'solo', { personnel: seats({ students: [school.student] }) })
    const asked = await expectOk<{ warnings: { rule: string; message: string }[] }>(
      api,
      ...([school.admin, 'POST', '/reservations/check', solo] as const),
    )
    const warning = asked.warnings.find(({ rule }) => rule === 'endorsement')
    return warning?.message.split(': ').at(-1) ?? null
  })

describe('an endorsement in an instructor’s name that somebody else recorded (§Training)', () => {
  test('counts once the instructor confirms it, and never when it is disowned', async ({
    school,
    record,
    answer,
    missing,
  }) => {
    const { instructor } = school
    for (const templateCode of ['A.3', 'A.4'])
      await record(null, { templateCode, parameters: { makeAndModel: 'C172' } }, instructor)
    const signedBy = { orgUserId: instructor.orgUserId, certificateNumber: '3141592CFI' }
    const made: Made = (await record(signedBy)).json().data
    expect(made).toMatchObject({
      signedBy: { ...signedBy, name: instructor.name },
      recordedBy: { orgUserId: school.admin.orgUserId },
      unsigned: false,
      unproven: true,
      confirmedAt: null,
    })
    expect(await missing()).toMatch(/A\.6 or A\.7/)
    const other = (await record(signedBy)).json().data
    expect((await answer(instructor, other, 'disown')).json().data).toMatchObject({ unproven: true, confirmedAt: null })
    expect(await missing()).toMatch(/A\.6 or A\.7/)
    expect((await answer(instructor, made, 'confirm')).json().data).toMatchObject({ unproven: false, disownedAt: null })
    expect((await missing()) ?? '').not.toMatch(/A\.6/)
    expect((await answer(instructor, made, 'disown')).json()).toMatchObject({ code: 'NOT_PENDING' })
  })

  test('is answered for by that instructor alone, and only when somebody else recorded it', async ({
    api,
    school,
    record,
    answer,
  }) => {
    const made = (await record({ orgUserId: school.instructor.orgUserId })).json().data
    const colleague = await buildMember(api, school.organizationId, ['instructor'])
    for (const who of [school.admin, colleague]) expect((await answer(who, made, 'confirm')).statusCode).toBe(403)
    const own = (await record(null, {}, school.instructor)).json().data
    expect(own).toMatchObject({ unproven: false })
    expect((await answer(school.instructor, own, 'confirm')).statusCode).toBe(403)
    expect((await answer(school.instructor, { id: 2_000_000_000 }, 'confirm')).statusCode).toBe(404)
  })

  test.for([
    ['a student', (school: { student: Member }) => school.student],
    ['whom it endorses', (school: { student: Member }) => school.student],
  ] as const)('is not in the name of %s', async ([_who, signer], { school, record }) => {
    expect((await record({ orgUserId: signer(school).orgUserId })).statusCode).toBe(400)
  })

  test('may give their name beside their id, when it is theirs', async ({ school, record }) => {
    const { orgUserId, name } = school.instructor
    const agreed = await record({ orgUserId, name: ` ${name.toUpperCase()} ` })
    expect(agreed.json().data).toMatchObject({ signedBy: { orgUserId, name } })
    const own = await record({ orgUserId, name }, {}, school.instructor)
    expect(own.json().data).toMatchObject({ signedBy: { orgUserId, name } })
    const messageOf = async (signer: object, who = school.admin) => (await record(signer, {}, who)).json().message
    const differs = 'signedBy.name: is not the name of the member in orgUserId'
    expect(await messageOf({ orgUserId, name: 'Chuck Dee' })).toBe(differs)
    expect(await messageOf({ orgUserId, name: 'Chuck Dee' }, school.instructor)).toBe(differs)
    expect(await messageOf({ certificateNumber: '1' })).toBe('signedBy: give orgUserId, or the name of somebody else')
  })
})

describe('an endorsement in the name of somebody outside', () => {
  test('counts once an admin other than its recorder verified the document that proves it', async ({
    api,
    school,
    record,
  }) => {
    const { admin, owner, student } = school
    const scan = { title: 'Endorsement', category: 'certificate', fileName: 'scan.pdf', orgUserId: student.orgUserId }
    const { id: documentId } = await expectOk<{ id: number }>(api, admin, 'POST', '/documents', scan)
    await api.core.database.db.updateTable('document').set({ upload: 'stored' }).where('id', '=', documentId).execute()
    const signedBy = { name: 'Chuck Dee', certificateNumber: '1618033' }
    const { id } = (await record(signedBy, { documentId })).json().data
    const unproven = async () =>
      (await expectOk<Made[]>(api, student, 'GET', '/training/endorsements')).find((one) => one.id === id)?.unproven
    const verify = (who: Member, status: string) => expectOk(api, who, 'PATCH', `/documents/${documentId}`, { status })
    expect(await unproven()).toBe(true)
    await verify(admin, 'verified')
    expect(await unproven()).toBe(true)
    await verify(owner, 'rejected')
    await verify(owner, 'verified')
    expect(await unproven()).toBe(false)
    const { db } = api.core.database
    for (const without of [{ upload: 'awaited' as const }, { category: 'medical' as const }]) {
      await db.updateTable('document').set(without).where('id', '=', documentId).execute()
      expect(await unproven()).toBe(true)
      await db
        .updateTable('document')
        .set({ upload: 'stored', category: 'certificate' })
        .where('id', '=', documentId)
        .execute()
    }
    expect(await unproven()).toBe(false)
    const { id: empty } = await expectOk<{ id: number }>(api, admin, 'POST', '/documents', scan)
    expect((await record(signedBy, { documentId: empty })).statusCode).toBe(400)
    expect((await record({ name: 'Chuck Dee' }, { documentId: 2_000_000_000 })).statusCode).toBe(400)
  })
})
