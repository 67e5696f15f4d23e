import { describe, expect } from 'vitest'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { giveDesk } from '../../../support/grants.ts'
import { mailedToken } from '../../../support/mailed-tokens.ts'
import { buildManaged } from '../../../support/managed.ts'
import { uploadTo } from '../../../support/uploads.ts'

/** A school whose dispatcher is a registrar. */
const test = schoolTest()
  .extend('registrar', { auto: true }, async ({ api, school }) => {
    await giveDesk(api, school, school.dispatcher, 'registrar')
    return school.dispatcher
  })
  .extend('patch', ({ api, registrar }) => async (id: number, body: object) => {
    return (await api.as(registrar).patch(`/orgUsers/${id}`, body)).statusCode
  })
  .extend('invite', ({ api, registrar }) => async (body: object) => {
    return (await api.as(registrar).post('/organizations/invite', body)).statusCode
  })
  .extend('addressOf', ({ api }) => async (id: number) => {
    const { rows } = await api.core.database.pool.query('select search_email from membership where id = $1', [id])
    return rows[0].search_email
  })

describe('a registrar (§22.1)', () => {
  test('adds and invites students and renters alone', async ({ api, registrar, invite }) => {
    const add = async (body: object) => (await api.as(registrar).post('/orgUsers', body)).statusCode
    expect(await add({ name: 'Sue Student', profile: { birthDate: '1990-01-02' } })).toBe(201)
    expect(await add({ name: 'Ron Renter', renter: true, student: true })).toBe(201)
    expect(await add({ name: 'Tia Technician', technician: true })).toBe(403)
    expect(await add({ name: 'Ida Instructor', instructor: true, student: true })).toBe(403)
    expect(await add({ name: 'Nell Noted', profile: { notes: 'Pays late' } })).toBe(403)
    expect(await invite({ email: 'sue@example.com' })).toBe(204)
    expect(await invite({ email: 'ron@example.com', renter: true })).toBe(204)
    expect(await invite({ email: 'ada@example.com', admin: true })).toBe(403)
    expect(await invite({ email: 'dan@example.com', student: true, dispatcher: true })).toBe(403)
  })

  test('changes contacts of managed students and renters, and nothing else', async ({ api, school, patch }) => {
    const sue = await buildManaged(api, school)
    const tia = await buildManaged(api, school, { name: 'Tia', technician: true })
    const both = await buildManaged(api, school, { name: 'Bo', student: true, instructor: true })
    const contacts = { name: 'Sue Lind', email: 'sue@example.com', phone: '+1 510 555 0188', externalId: 'M-7' }
    expect(await patch(sue.orgUserId, contacts)).toBe(200)
    for (const change of [{ billingMode: 'ledger' }, { grounded: true }, { renter: true }, { taxExempt: true }]) {
      expect(await patch(sue.orgUserId, change)).toBe(403)
    }
    expect(await patch(tia.orgUserId, { phone: '1' })).toBe(403)
    expect(await patch(both.orgUserId, { phone: '1' })).toBe(403)
    expect(await patch(school.student.orgUserId, { phone: '1' })).toBe(403)
    expect(await patch(school.dispatcher.orgUserId, { phone: '1' })).toBe(403)
  })

  test('gives another address only to who has no booking, money or paper, by both doors', async ({
    api,
    school,
    patch,
    invite,
    addressOf,
  }) => {
    const members = await Promise.all(
      ['plain', 'booked', 'paying', 'proved'].map((name) =>
        buildManaged(api, school, { name, email: `${name}@example.com` }),
      ),
    )
    const [plain, booked, paying, proved] = members.map(({ orgUserId }) => orgUserId) as [
      number,
      number,
      number,
      number,
    ]
    const student = { ...school.student, orgUserId: booked }
    await bookDual(api, school, { students: [student] })
    await expectOk(api, school.admin, 'POST', `/orgUsers/${paying}/ledger`, { kind: 'deposit', amountCents: 100 })
    const medical = { title: 'Medical', category: 'medical', fileName: 'medical.pdf', orgUserId: proved }
    await expectOk(api, school.admin, 'POST', '/documents', medical)
    for (const [id, name] of [
      [booked, 'booked'],
      [paying, 'paying'],
      [proved, 'proved'],
    ] as const) {
      expect(await patch(id, { email: 'mine@example.com' })).toBe(403)
      expect(await invite({ orgUserId: id, email: 'mine@example.com' })).toBe(403)
      expect(await addressOf(id)).toBe(`${name}@example.com`)
      expect(await patch(id, { email: `${name}@example.com` })).toBe(200)
      expect(await invite({ orgUserId: id })).toBe(204)
    }
    expect(await invite({ orgUserId: plain, email: 'other@example.com' })).toBe(204)
    expect(await addressOf(plain)).toBe('other@example.com')
    expect(await patch(plain, { email: 'third@example.com' })).toBe(200)
  })

  test('lets nobody take over, at an address that they gave, a membership that has a history by then', async ({
    api,
    school,
    invite,
  }) => {
    const member = await buildManaged(api, school, { name: 'Vera', email: 'vera@example.com' })
    const email = 'mine@example.com'
    const accept = async () => {
      const invitationToken = await mailedToken(api, email, 'invitation')
      const body = { name: 'Vera', email, password: 'correct horse battery', invitationToken }
      return (await api.call('POST', '/users', { body })).statusCode
    }
    expect(await invite({ orgUserId: member.orgUserId, email })).toBe(204)
    const deposit = { kind: 'deposit', amountCents: 150_000 }
    await expectOk(api, school.admin, 'POST', `/orgUsers/${member.orgUserId}/ledger`, deposit)
    expect(await accept()).toBe(403)
    await api.core.database.pool.query('delete from invitation where email = $1', [email])
    const again = { orgUserId: member.orgUserId }
    expect((await api.as(school.admin).post('/organizations/invite', again)).statusCode).toBe(204)
    expect(await accept()).toBe(201)
  })

  test('never invites a colleague to take over a membership', async ({ api, school, invite }) => {
    const tia = await buildManaged(api, school, { name: 'Tia', technician: true, email: 'tia@example.com' })
    expect(await invite({ orgUserId: tia.orgUserId })).toBe(403)
  })

  test('reads and writes profiles of students and renters but notes and citizenship, and verifies nothing', async ({
    api,
    school,
    registrar,
  }) => {
    const { student, technician, admin } = school
    const path = `/orgUsers/${student.orgUserId}/profile`
    const facts = { birthDate: '1988-04-17', pilotCertificate: { grade: 'private', number: '3456789' } }
    await expectOk(api, admin, 'PATCH', path, { notes: 'Pays late', citizenshipVerification: { kind: 'Passport' } })
    const patch = async (body: object, of = path) => (await api.as(registrar).patch(of, body)).statusCode
    expect(await patch(facts)).toBe(200)
    const read = await expectOk<Record<string, unknown>>(api, registrar, 'GET', path)
    expect(read).toMatchObject(facts)
    expect([read.notes, read.citizenshipVerification]).toEqual([undefined, undefined])
    expect(await expectOk(api, admin, 'GET', path)).toMatchObject({ verified: [] })
    expect(await patch({ notes: 'x' })).toBe(403)
    expect(await patch({ citizenshipVerification: { kind: 'Passport' } })).toBe(403)
    expect(await patch({ verify: ['birthDate'] })).toBe(403)
    expect(await patch({ birthDate: '1988-04-17' }, `/orgUsers/${technician.orgUserId}/profile`)).toBe(403)
    const { rows } = await api.core.database.pool.query(
      `select count(*)::int as read from event where organization_id = $1 and kind = 'profile.read' and membership_id = $2`,
      [school.organizationId, registrar.orgUserId],
    )
    expect(rows).toEqual([{ read: 1 }])
  })

  test('adds documents of students and renters, also as an instructor, until the grant is withdrawn', async ({
    api,
    school,
  }) => {
    const { instructor, student, technician, admin } = school
    const grant = await giveDesk(api, school, instructor, 'registrar')
    const add = async (orgUserId: number | null, category = 'medical') => {
      const body = { title: 'Medical', category, fileName: 'medical.pdf', orgUserId }
      return (await api.as(instructor).post('/documents', body)).statusCode
    }
    expect(await add(student.orgUserId)).toBe(201)
    expect(await add(technician.orgUserId)).toBe(403)
    expect(await add(null, 'insurance')).toBe(403)
    const member = await buildManaged(api, school, { email: 'plain@example.com' })
    const invited = await api.as(instructor).post('/organizations/invite', { orgUserId: member.orgUserId })
    expect(invited.statusCode).toBe(204)
    expect((await api.as(admin).delete(`/grants/${grant}`)).statusCode).toBe(204)
    expect(await add(student.orgUserId)).toBe(403)
    expect(await expectOk<unknown[]>(api, admin, 'GET', '/organizations/invitations')).toEqual([])
  })

  test('records a medical or a flight review only with its document, also where their role lets them record it', async ({
    api,
    school,
    registrar,
  }) => {
    const { student, admin, instructor } = school
    await giveDesk(api, school, instructor, 'registrar')
    const medical = { name: 'Medical', kind: 'medical' }
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/currencies', medical)
    const checkout = { name: 'Checkout', kind: 'expiring' }
    const { id: other } = await expectOk<{ id: number }>(api, admin, 'POST', '/currencies', checkout)
    const body = { title: 'Medical', category: 'medical', fileName: 'medical.pdf', orgUserId: student.orgUserId }
    const added = (await api.as(registrar).post('/documents', body)).json()
    const documentId: number = added.data.id
    const url = (currency: number) => `/orgUsers/${student.orgUserId}/currencies/${currency}`
    const examined = { class: 'third', examinedAt: '2026-06-01T12:00:00Z' }
    for (const who of [registrar, instructor]) {
      const record = (of: number, dates: object) => api.as(who).put(url(of), dates)
      const refused = await record(id, examined)
      expect([refused.statusCode, refused.json().message]).toEqual([
        400,
        'documentId: a registrar names the document of a medical or flight review',
      ])
      if (who === registrar) {
        // A document whose file has not arrived proves nothing.
        expect((await record(id, { ...examined, documentId })).statusCode).toBe(400)
        await uploadTo(api, added.signedUrlData[0], Buffer.from('%PDF-1.7\nsome pages\n%%EOF'))
      }
      expect((await record(id, { ...examined, documentId })).statusCode).toBe(200)
      const completed = { completedAt: '2026-06-01T12:00:00Z', expiresAt: '2027-06-01T12:00:00Z' }
      expect((await record(other, completed)).statusCode).toBe(200)
    }
    await expectOk(api, admin, 'PUT', url(id), examined)
  })
})
