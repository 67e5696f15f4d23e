import { describe, expect } from 'vitest'
import { findMemberToMail, findRecipients } from '../../src/shared/communication/notifications/recipients.queries.ts'
import { buildAccount, type Member, type School } from '../support/builders.ts'
import { schoolTest } from '../support/fixtures.ts'
import { bookDual, expectOk, fly } from '../support/flights.ts'
import { mailedToken } from '../support/mailed-tokens.ts'
import { buildManaged } from '../support/managed.ts'
import { countStatements } from '../support/statements.ts'
import { buildTraining, enrol, gradeAndSign } from '../support/training.ts'

const test = schoolTest()

const as = (person: { orgUserId: number; name: string }) => person as Member

/** The names by which a member is shown in answers. */
const shown = (answer: { body: string }, name: string) => answer.body.includes(name)

describe('a member without an account (§People)', () => {
  test('is booked, flown, signed for, billed, trained and endorsed, and then signs in with all of it', async ({
    api,
    school,
  }) => {
    const account = await buildAccount(api)
    const mia = await buildManaged(api, school, { name: 'Mia Managed', email: account.email, student: true })
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${mia.orgUserId}`, { billingMode: 'ledger' })
    const id = await bookDual(api, school, { students: [as(mia)] })
    await fly(api, school, id)
    await expectOk(api, school.instructor, 'POST', `/reservations/${id}/confirmReview`)
    const signed = await expectOk<{ signedOffAt: string }>(
      api,
      school.dispatcher,
      'POST',
      `/reservations/${id}/confirmReview`,
      {
        onBehalfOf: mia.orgUserId,
      },
    )
    expect(signed.signedOffAt).not.toBeNull()
    const history = await expectOk<object[]>(api, school.admin, 'GET', `/reservations/${id}/history`)
    expect(JSON.stringify(history)).toContain(`"onBehalfOf":${mia.orgUserId}`)
    await expectOk(api, school.admin, 'POST', `/reservations/${id}/invoices`)
    await expectOk(api, school.admin, 'POST', `/orgUsers/${mia.orgUserId}/ledger`, {
      kind: 'deposit',
      amountCents: 5_000,
    })
    const course = await buildTraining(api, school)
    const enrollmentId = await enrol(api, school, course, as(mia))
    await gradeAndSign(api, school.instructor, enrollmentId, course.lesson)
    await expectOk(api, school.instructor, 'POST', '/training/endorsements', {
      orgUserId: mia.orgUserId,
      title: 'Solo',
      renderedText: 'May fly alone',
      certificateNumber: '3141592CFI',
    })
    const checkout = await expectOk<{ id: number }>(api, school.admin, 'POST', '/currencies', {
      name: 'Annual checkout',
      kind: 'expiring',
    })
    await expectOk(api, school.admin, 'PUT', `/orgUsers/${mia.orgUserId}/currencies/${checkout.id}`, {
      completedAt: '2026-11-01T00:00:00Z',
      expiresAt: '2027-11-01T00:00:00Z',
    })
    await expectOk(api, school.admin, 'POST', '/documents', {
      title: 'Medical',
      category: 'medical',
      orgUserId: mia.orgUserId,
      fileName: 'medical.pdf',
    })
    await expectOk(api, school.dispatcher, 'POST', '/availability/timeOff', {
      orgUserId: mia.orgUserId,
      start: '2027-01-01T00:00:00Z',
      end: '2027-01-02T00:00:00Z',
    })
    const ends = 'startDate=2026-11-01T00:00:00Z&endDate=2026-12-31T00:00:00Z'
    const places = [
      `/reservations/${id}`,
      `/reservations?${ends}`,
      '/invoices?q=managed',
      '/training/endorsements',
      '/availability/timeOff',
      `/reports/students?${ends}`,
      '/reports/currencies',
      '/search?q=managed',
    ]
    for (const path of places) {
      expect([path, shown(await api.as(school.owner).get(path), 'Mia Managed')]).toEqual([path, true])
    }
    await expectOk(api, school.admin, 'POST', '/organizations/invite', { orgUserId: mia.orgUserId })
    const token = await mailedToken(api, account.email, 'invitation')
    const accepted = await api.call('POST', '/organizations/invitations/accept', {
      token: account.token,
      body: { token },
    })
    const own = { token: accepted.json().data.token as string }
    const ledger = await expectOk<{ kind: string }[]>(api, own, 'GET', `/orgUsers/${mia.orgUserId}/ledger`)
    expect(ledger.map(({ kind }) => kind).sort()).toEqual(['deposit', 'flight_charge'])
    expect(await expectOk(api, own, 'GET', `/training/enrollments/${enrollmentId}`)).toMatchObject({ id: enrollmentId })
    expect(await expectOk(api, own, 'GET', `/reservations?${ends}`)).toMatchObject([{ id }])
  })

  test('is confirmed for by desk staff who are not on the booking, and by nobody else', async ({ api, school }) => {
    const mia = await buildManaged(api, school)
    const id = await bookDual(api, school, { students: [as(mia)] })
    await fly(api, school, id)
    const tries: [Member, number][] = [
      [school.instructor, mia.orgUserId],
      [school.renter, mia.orgUserId],
      [school.dispatcher, school.instructor.orgUserId],
      [school.dispatcher, school.student.orgUserId],
    ]
    const refusals = []
    for (const [who, onBehalfOf] of tries) {
      const { statusCode, json } = await api.as(who).post(`/reservations/${id}/confirmReview`, { onBehalfOf })
      refusals.push([statusCode, json().message])
    }
    expect(refusals).toEqual([
      [403, 'Only desk staff who are not on the booking answer for a member without an account.'],
      [403, 'Only desk staff who are not on the booking answer for a member without an account.'],
      [400, 'onBehalfOf: this member has an account, and answers themselves'],
      [400, 'onBehalfOf: this member is not on the booking'],
    ])
  })

  test('is signed for by two of the desk, when neither side of a flight can sign in', async ({ api, school }) => {
    const [mia, ivo] = [
      await buildManaged(api, school, { student: true }),
      await buildManaged(api, school, { name: 'Ivo Managed', instructor: true }),
    ]
    const id = await bookDual(api, { ...school, instructor: as(ivo) }, { students: [as(mia)] })
    await expectOk(api, school.owner, 'PATCH', '/organizations', { settings: { deskRamps: true } })
    for (const [ramp, reading] of [
      ['rampOut', { hobbsTimeOut: 1, tachTimeOut: 1 }],
      ['rampIn', { hobbsTimeIn: 2.4, tachTimeIn: 2.1 }],
    ] as const) {
      await expectOk(api, school.dispatcher, 'POST', `/reservations/${id}/${ramp}`, reading)
    }
    const sign = (who: Member, onBehalfOf: number) =>
      api.as(who).post(`/reservations/${id}/confirmReview`, { onBehalfOf })
    const first = await sign(school.dispatcher, ivo.orgUserId)
    expect(first.json().data.review.confirmations).toMatchObject([{ orgUserId: ivo.orgUserId, onBehalf: true }])
    const both = await sign(school.dispatcher, mia.orgUserId)
    expect([both.statusCode, both.json().message]).toEqual([
      403,
      'You have signed for the other side of this booking: another member of the desk staff must sign for this one.',
    ])
    expect((await sign(school.admin, mia.orgUserId)).json().data.signedOffAt).not.toBeNull()
  })

  test('ramps a solo by the desk, where the school lets it', async ({ api, school }) => {
    const mia = await buildManaged(api, school)
    const { id } = await bookSolo(api, school, mia)
    const ramp = () =>
      api.as(school.dispatcher).post(`/reservations/${id}/rampOut`, { hobbsTimeOut: 1, tachTimeOut: 1 })
    expect((await ramp()).statusCode).toBe(400)
    await expectOk(api, school.owner, 'PATCH', '/organizations', { settings: { deskRamps: true } })
    expect((await ramp()).statusCode).toBe(200)
  })

  test('is billed by invoice with an address, and refused without one', async ({ api, school }) => {
    const items = [{ description: 'Headset', unitPrice: 1_000 }]
    const bill = (orgUserId: number) => api.as(school.admin).post('/invoices', { customer: { orgUserId }, items })
    const without = await bill((await buildManaged(api, school, { name: 'Max Without' })).orgUserId)
    expect([without.statusCode, without.json().message]).toEqual([
      400,
      'Max Without has no account and no email address to send an invoice to. Add an address, or bill the member on the ledger.',
    ])
    const mia = await buildManaged(api, school, { email: 'mia.billed@example.com' })
    expect((await bill(mia.orgUserId)).statusCode).toBeLessThan(300)
    const { db } = api.core.database
    const told = (kind: 'invoice_raised' | 'reservation_created') =>
      findRecipients(db, { organizationId: school.organizationId, kind, causedBy: null }, [mia.orgUserId])
    expect(await told('invoice_raised')).toMatchObject([
      { orgUserId: mia.orgUserId, email: true, inApp: false, push: false },
    ])
    expect(await told('reservation_created')).toEqual([])
    const mailed = (kind: 'invoice_raised' | 'reservation_created') =>
      findMemberToMail(db, { organizationId: school.organizationId, kind }, mia.orgUserId)
    const { result, statements } = await countStatements(api, () => mailed('invoice_raised'))
    expect(result).toMatchObject({ address: 'mia.billed@example.com', as: 'customer' })
    expect(statements).toHaveLength(1)
    expect(await mailed('reservation_created')).toBeNull()
  })
})

function bookSolo(api: Parameters<typeof expectOk>[0], school: School, { orgUserId }: { orgUserId: number }) {
  return expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', {
    title: 'Solo',
    type: 'solo',
    start: '2026-11-21T12:10:00Z',
    end: '2026-11-21T13:00:00Z',
    timeZoneName: 'UTC',
    resource: { id: school.plane.id },
    personnel: { students: [{ orgUserId }] },
  })
}
