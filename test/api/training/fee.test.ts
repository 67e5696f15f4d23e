import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testedBackends } from '../../support/backends.ts'
import { type BillingEnv, startBilling } from '../../support/billing.ts'
import { buildMember, type Member } from '../../support/builders.ts'
import { expectOk } from '../../support/flights.ts'
import { buildTraining, enrol, type TrainingCourse } from '../../support/training.ts'

describe.each(testedBackends())('the enrollment fee, queues in %s (§Training, POST fee)', (kind) => {
  let env: BillingEnv
  let course: TrainingCourse
  beforeAll(async () => {
    env = await startBilling(kind)
    course = await buildTraining(env.api, env.school, { feeCents: 25_000 })
  })
  afterAll(() => env.close())

  const holderOf = ({ orgUserId }: Member) => ({ orgUserId })
  const newStudent = () => buildMember(env.api, env.school.organizationId, ['student'])
  const fee = (id: number, who: Member = env.school.admin) => env.api.as(who).post(`/training/enrollments/${id}/fee`)

  test('is invoiced once at its amount of the enrolment', async () => {
    const { api, school } = env
    const student = await newStudent()
    const id = await enrol(api, school, course, student)
    const url = `/training/courses/${course.courseId}`
    await expectOk(api, school.admin, 'PATCH', url, { enrollmentFeeCents: 99_900 })
    const response = await fee(id)
    await expectOk(api, school.admin, 'PATCH', url, { enrollmentFeeCents: 25_000 })
    expect(response.statusCode, response.body).toBe(200)
    const invoice = response.json().data
    expect(invoice).toMatchObject({
      status: 'open',
      enrollment: { id },
      reservation: null,
      customer: { orgUserId: student.orgUserId },
      memo: 'Private pilot',
      totalCents: 25_000,
      items: [
        { description: 'Books and headset', quantity: 1, unit: 'enrollment', unitPrice: 25_000, amountCents: 25_000 },
      ],
    })
    expect(invoice.payUrl).toMatch(/^http/)
    const again = await fee(id)
    expect([again.statusCode, again.json().code]).toEqual([409, 'ALREADY_EXISTS'])
    const enrollment = await expectOk(api, student, 'GET', `/training/enrollments/${id}`)
    expect(enrollment).toMatchObject({ feeInvoice: { id: invoice.id, status: 'open' } })
  })

  test('that is requested twice at once is invoiced once', async () => {
    const id = await enrol(env.api, env.school, course, await newStudent())
    const both = await Promise.all([fee(id), fee(id)])
    expect(both.map((one) => one.statusCode).sort()).toEqual([200, 409])
  })

  test('of a ledger-mode member is charged to the ledger', async () => {
    const { api, school } = env
    const student = await newStudent()
    await api.core.database.db
      .updateTable('membership')
      .set({ billing_mode: 'ledger' })
      .where('id', '=', student.orgUserId)
      .execute()
    const id = await enrol(api, school, course, student)
    expect((await fee(id)).json().data).toMatchObject({ status: 'paid', settlement: 'ledger', totalCents: 25_000 })
    const entry = await api.core.database.db
      .selectFrom('ledger_entry')
      .select(['kind', 'amount_cents'])
      .where('membership_id', '=', student.orgUserId)
      .executeTakeFirst()
    expect(entry).toEqual({ kind: 'invoice_charge', amount_cents: -25_000 })
  })

  test('is not taken from an account by a member who may also set its price', async () => {
    const { api, school } = env
    const student = await newStudent()
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${student.orgUserId}`, { billingMode: 'ledger' })
    const id = await enrol(api, school, course, student)
    const holder = await buildMember(api, school.organizationId, ['instructor'])
    const grant = (kind: string) =>
      expectOk<{ id: number }>(api, school.admin, 'POST', '/training/grants', { ...holderOf(holder), grant: kind })
    await grant('manageEnrollment')
    const { id: configuring } = await grant('configureTraining')
    const refused = await fee(id, holder)
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      expect.stringContaining('charged to the ledger of the student'),
    ])
    await api.as(school.admin).delete(`/training/grants/${configuring}`)
    expect((await fee(id, holder)).statusCode).toBe(200)
  })

  test('that is paid after it was void and invoiced again is refunded, and the new invoice stands', async () => {
    const { api, school, simulator } = env
    const id = await enrol(api, school, course, await newStudent())
    const first = (await fee(id)).json().data
    await simulator.hold()
    await fetch(first.payUrl, { method: 'POST', redirect: 'manual' })
    // The voiding fails until the new invoice stands and the event has come.
    await simulator.fault({ match: 'POST /v1/invoices/:id/void', kind: '500', times: 1_000 })
    await expectOk(api, school.admin, 'POST', `/invoices/${first.id}/void`, { reason: 'Wrong course' })
    const second = (await fee(id)).json().data
    await simulator.release('oldest_first')
    await simulator.clearFaults()
    await env.workers.settled()
    const { deliveries, refunds } = await simulator.everything()
    expect(deliveries.filter(({ status }) => status !== 200)).toEqual([])
    expect(refunds.map(({ amount }) => amount)).toEqual([25_000])
    const look = (invoice: number) => expectOk(api, school.admin, 'GET', `/invoices/${invoice}`)
    expect(await look(first.id)).toMatchObject({ status: 'void', refundedCents: 25_000 })
    expect(await look(second.id)).toMatchObject({ status: 'open', totalCents: 25_000 })
  })

  test.each([[undefined], [0], [49]])('of %s cents is refused', async (feeCents) => {
    const { api, school } = env
    const free = await buildTraining(api, school, feeCents === undefined ? {} : { feeCents })
    const refused = await fee(await enrol(api, school, free, await newStudent()))
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'NO_FEE'])
  })
})
