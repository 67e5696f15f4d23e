import { describe, expect } from 'vitest'
import { cents, hundredths } from '../../../../src/shared/platform/kernel/units.ts'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, buildMembers, type Member, writeSettings } from '../../../support/builders.ts'
import { eventually } from '../../../support/eventually.ts'
import { billingTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { holdRow } from '../../../support/held-row.ts'
import { setRefundLimit } from '../../../support/invoiced.ts'
import { buildManaged } from '../../../support/managed.ts'
import { buildTraining, enrol, gradeAndSign } from '../../../support/training.ts'

interface Invoice {
  id: number
  number: number
  status: string
  totalCents: number
  creditedCents: number
  refundedCents: number
  creditCents: number
  amountDueCents: number
}

const wrong = { hobbsTimeOut: 4214.1, hobbsTimeIn: 4215.2 }
const right = { hobbsTimeOut: 4214.1, hobbsTimeIn: 4214.9 }
let day = 0

interface How {
  hours?: number
  type?: string
  personnel?: object
  stakes?: object[]
  extra?: object
  /** Who flies, and who signs: the payer by default. */
  by?: Member
  signers?: Member[]
  invoiced?: boolean
  taxRates?: object[]
}

/** Returns what a correction writes, counted. */
async function written(api: TestApp, organizationId: number) {
  const counts = ['event', 'credit_note', 'outbox', 'seal', 'ledger_entry'].map(
    (table) => `(select count(*)::int from ${table} where organization_id = $1) as ${table}`,
  )
  const { rows } = await api.core.database.pool.query(
    `select ${counts.join(', ')}, (select last_credit_number from organization where id = $1) as number`,
    [organizationId],
  )
  return rows[0] as Record<string, number>
}

const test = billingTest()
  .extend('payer', ({ env: { api, school } }) => buildMember(api, school.organizationId, ['renter']))
  /** A flight of 1.1 h at 180.00 an hour, signed and invoiced: 198.00 for a rental. */
  .extend('billed', ({ env: { api, school }, payer }) => async (how: How = {}) => {
    const { hours = 1.1, type = 'rental', stakes, extra, invoiced = true, taxRates = [] } = how
    await writeSettings(api, school.organizationId, { taxRates })
    await api.core.database.db
      .updateTable('resource')
      .set({ hobbs_hundredths: hundredths(421_410), wet_rate_cents: cents(18_000) })
      .where('id', '=', school.plane.id)
      .execute()
    day += 1
    const date = new Date(Date.UTC(2026, 9, day)).toISOString().slice(0, 10)
    const { personnel = { renters: [{ orgUserId: payer.orgUserId }] }, by = payer } = how
    const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/reservations', {
      title: 'Flight',
      type,
      start: `${date}T10:00:00Z`,
      end: `${date}T12:00:00Z`,
      timeZoneName: 'UTC',
      resource: { id: school.plane.id },
      personnel,
      ...extra,
    })
    const url = `/reservations/${id}`
    if (stakes) await expectOk(api, school.admin, 'PUT', `${url}/payers`, { payers: stakes })
    await expectOk(api, by, 'POST', `${url}/rampOut`, { hobbsTimeOut: 4214.1, tachTimeOut: 900 })
    await expectOk(api, by, 'POST', `${url}/rampIn`, {
      hobbsTimeIn: (421_410 + hours * 100) / 100,
      tachTimeIn: 900.9,
      confirmMeterAnomaly: true,
    })
    for (const one of how.signers ?? [by]) await expectOk(api, one, 'POST', `${url}/confirmReview`)
    if (!invoiced) return { id, invoices: [], invoice: {} as Invoice }
    const invoices = await expectOk<Invoice[]>(api, school.owner, 'POST', `${url}/invoices`)
    return { id, invoices, invoice: invoices[0]! }
  })
  .extend('pay', ({ env: { api, school } }) => (id: number, amountCents = 19_800, method = 'cash') => {
    return expectOk(api, school.owner, 'POST', `/invoices/${id}/payments`, { amountCents, method })
  })
  .extend('look', ({ env: { api, school } }) => (id: number) => {
    return expectOk<Invoice>(api, school.admin, 'GET', `/invoices/${id}`)
  })
  .extend(
    'correct',
    ({ env: { api, school } }) =>
      async (id: number, body: object = {}, who: Member = school.admin) => {
        const whole = { readings: right, reason: '0.3 read wrong', refund: 'ledger', ...body }
        const response = await api.as(who).post(`/reservations/${id}/correct`, whole)
        return { status: response.statusCode, body: response.json() }
      },
  )

describe('a correction of a billed flight (§Reservations, correct)', () => {
  test('puts a paid flight right in one request: 198.00 become 144.00, and 54.00 are on the ledger', async ({
    env: { api, school, workers },
    payer,
    billed,
    pay,
    look,
    correct,
  }) => {
    const { id, invoice } = await billed()
    expect(invoice.totalCents).toBe(19_800)
    await pay(invoice.id)
    const corrected = await correct(id)
    expect(corrected).toMatchObject({
      status: 200,
      body: {
        data: {
          ...right,
          status: 'invoiced',
          review: { needs: [], confirmations: [{ orgUserId: payer.orgUserId }] },
          correctedAfterSigning: {
            by: { orgUserId: school.admin.orgUserId },
            reason: '0.3 read wrong',
            from: wrong,
            to: right,
          },
        },
        credits: [
          {
            invoiceId: invoice.id,
            amountCents: 5_400,
            refund: 'ledger',
            refundStatus: 'succeeded',
            refundedCents: 5_400,
            // The payer, who may not have been on the flight, is mailed the reason of the credit note.
            reason:
              'Signed: Hobbs 4214.10 to 4215.20 · tach 900.00 to 900.90 · ' +
              'Now: Hobbs 4214.10 to 4214.90 · tach 900.00 to 900.90 · Objections: until Fri, Dec 4, 2026',
          },
        ],
        warnings: [],
      },
    })
    expect(await look(invoice.id)).toMatchObject({
      number: invoice.number,
      status: 'paid',
      totalCents: 19_800,
      creditedCents: 5_400,
      refundedCents: 5_400,
      amountDueCents: 0,
    })
    const [entry] = await expectOk<object[]>(api, payer, 'GET', `/orgUsers/${payer.orgUserId}/ledger`)
    expect(entry).toMatchObject({ kind: 'credit', amountCents: 5_400, balanceCents: 5_400 })
    const statement = await expectOk<{ closingBalanceCents: number }>(
      ...([api, payer, 'GET', `/orgUsers/${payer.orgUserId}/statement`] as const),
    )
    expect(statement.closingBalanceCents).toBe(-5_400)
    const plane = await expectOk<{ hobbsTime: number }>(api, school.admin, 'GET', `/resources/${school.plane.id}`)
    expect(plane.hobbsTime).toBe(right.hobbsTimeIn)
    const history = await expectOk<object[]>(api, school.admin, 'GET', `/reservations/${id}/history`)
    expect(history.at(-1)).toMatchObject({ action: 'corrected', reason: '0.3 read wrong', before: wrong, after: right })
    await workers.settled()
    const told = await expectOk<{ kind: string; body: string }[]>(api, payer, 'GET', '/notifications')
    const kinds = told.map(({ kind }) => kind)
    expect(kinds).toContain('flight_corrected')
    expect(told.find(({ kind }) => kind === 'flight_corrected')?.body).toContain(
      'Signed: Hobbs 4214.10 to 4215.20 · tach 900.00 to 900.90 · Now: Hobbs 4214.10 to 4214.90',
    )
  })

  test('is tried by a dry run, which leaves nothing', async ({
    env: { api, school, workers },
    billed,
    pay,
    look,
    correct,
  }) => {
    const { id, invoice } = await billed()
    await pay(invoice.id)
    await workers.settled()
    const before = await written(api, school.organizationId)
    const flight = await expectOk(api, school.admin, 'GET', `/reservations/${id}`)
    const tried = await correct(id, { dryRun: true })
    expect(tried).toMatchObject({ status: 200, body: { data: right, credits: [{ amountCents: 5_400 }], warnings: [] } })
    expect(await written(api, school.organizationId)).toEqual(before)
    expect(await expectOk(api, school.admin, 'GET', `/reservations/${id}`)).toEqual(flight)
    expect(await look(invoice.id)).toMatchObject({ creditedCents: 0, refundedCents: 0 })
    const made = await correct(id)
    expect(made.body.credits[0].number).toBe(tried.body.credits[0].number)
    expect(await written(api, school.organizationId)).toMatchObject({
      number: (before.number ?? 0) + 1,
      credit_note: (before.credit_note ?? 0) + 1,
    })
  })

  test('is billed at the prices and taxes of the invoice', async ({ env: { api, school }, billed, look, correct }) => {
    const taxRates = [
      { name: 'Sales tax', basisPoints: 725, appliesTo: ['aircraft'], locationIds: [] },
      { name: 'City tax', basisPoints: 100, appliesTo: [], locationIds: [] },
    ]
    const { id, invoice } = await billed({ taxRates })
    // 198.00 with 14.36 and 1.98; 144.00 with 10.44 and 1.44.
    expect(invoice.totalCents).toBe(21_434)
    await expectOk(api, school.admin, 'PATCH', '/organizations', {
      settings: { taxRates: [{ name: 'Sales tax', basisPoints: 900 }] },
    })
    await api.core.database.db
      .updateTable('resource')
      .set({ wet_rate_cents: cents(25_000) })
      .where('id', '=', school.plane.id)
      .execute()
    expect(await correct(id)).toMatchObject({
      status: 200,
      body: { credits: [{ amountCents: 5_846, taxCents: 446, refund: 'none' }] },
    })
    expect(await look(invoice.id)).toMatchObject({ creditedCents: 5_846, amountDueCents: 15_588 })
  })

  test('is divided by the stakes: each payer gets back a part', async ({ env: { api, school }, billed, correct }) => {
    const [ana, ben] = await buildMembers(api, school.organizationId, [['student'], ['student']])
    const { id, invoices } = await billed({
      type: 'dual',
      personnel: {
        instructors: [{ orgUserId: school.instructor.orgUserId }],
        students: [{ orgUserId: ana.orgUserId }, { orgUserId: ben.orgUserId }],
      },
      stakes: [
        { orgUserId: ana.orgUserId, percentage: 33.33 },
        { orgUserId: ben.orgUserId, percentage: 66.67 },
      ],
      by: school.instructor,
      signers: [school.instructor, ana],
    })
    // 1.1 h at 180.00 and 60.00: 264.00, in the order of the seats; 0.8 h: 192.00.
    expect(invoices.map(({ totalCents }) => totalCents)).toEqual([8_800, 17_600])
    const { status, body } = await correct(id)
    expect([status, body.credits.map((credit: { amountCents: number }) => credit.amountCents)]).toEqual([
      200,
      [2_400, 4_800],
    ])
  })

  test('credits the bill-to payer by the share of the member who flew, also beside the payer’s own share', async ({
    env: { api, school },
    billed,
    pay,
    look,
    correct,
  }) => {
    const [ana, ben] = await buildMembers(api, school.organizationId, [['student'], ['student']])
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${ana.orgUserId}`, { billToOrgUserId: ben.orgUserId })
    await expectOk(api, ben, 'POST', `/orgUsers/${ana.orgUserId}/billTo/accept`, {})
    const { id, invoices } = await billed({
      type: 'dual',
      personnel: {
        instructors: [{ orgUserId: school.instructor.orgUserId }],
        students: [{ orgUserId: ana.orgUserId }, { orgUserId: ben.orgUserId }],
      },
      stakes: [
        { orgUserId: ana.orgUserId, percentage: 33.33 },
        { orgUserId: ben.orgUserId, percentage: 66.67 },
      ],
      by: school.instructor,
      signers: [school.instructor, ana],
    })
    expect(invoices).toMatchObject([
      { customer: { orgUserId: ben.orgUserId }, billedFor: { orgUserId: ana.orgUserId }, totalCents: 8_800 },
      { customer: { orgUserId: ben.orgUserId }, billedFor: null, totalCents: 17_600 },
    ])
    await eventually(
      () => Promise.all(invoices.map((invoice) => look(invoice.id))),
      (all) => all.every(({ status }) => status === 'open'),
    )
    await pay(invoices[0]!.id, 8_800)
    const credits = [{ amountCents: 2_400, refund: 'ledger' }, { amountCents: 4_800 }]
    expect(await correct(id)).toMatchObject({ status: 200, body: { credits } })
    const [entry] = await expectOk<object[]>(api, ben, 'GET', `/orgUsers/${ben.orgUserId}/ledger`)
    expect(entry).toMatchObject({ amountCents: 2_400, balanceCents: 2_400 })
    expect(await look(invoices[1]!.id)).toMatchObject({ creditedCents: 4_800, amountDueCents: 12_800 })
  })

  test('leaves training records as they were signed, with a warning, and their enrollment certified no more', async ({
    env: { api, school },
    billed,
    pay,
    correct,
  }) => {
    const { student, instructor, admin } = school
    const course = await buildTraining(api, school)
    const enrollmentId = await enrol(api, school, course, student)
    const { id, invoice } = await billed({
      type: 'dual',
      personnel: { instructors: [{ orgUserId: instructor.orgUserId }], students: [{ orgUserId: student.orgUserId }] },
      by: instructor,
      signers: [instructor, student],
    })
    await pay(invoice.id, 26_400)
    await gradeAndSign(api, instructor, enrollmentId, course.lesson, { reservationId: id, flightDeciHours: 11 })
    const url = `/training/enrollments/${enrollmentId}`
    const certify = () => expectOk(api, admin, 'POST', `${url}/certify`)
    const certifiedAt = async () => (await expectOk<{ certifiedAt: string | null }>(api, admin, 'GET', url)).certifiedAt
    await certify()
    const small = { readings: { hobbsTimeOut: 4214.1, hobbsTimeIn: 4215.1 } }
    expect(await correct(id, small)).toMatchObject({ status: 200, body: { warnings: [] } })
    expect(await certifiedAt()).not.toBeNull()
    expect(await correct(id)).toMatchObject({
      status: 200,
      body: {
        warnings: [
          expect.stringMatching(/^The training record of .* says 1\.1 h of flight time, the flight 0\.8 h\.$/),
          expect.stringMatching(/^The training record of .* says 1\.1 h of instruction time, the flight 0\.8 h\.$/),
        ],
      },
    })
    expect(await certifiedAt()).toBeNull()
    const report = '/reports/training-mismatch?startDate=2026-10-01&endDate=2026-11-30'
    const mismatches = await expectOk<{ reservationId: number }[]>(api, admin, 'GET', report)
    expect(mismatches.filter(({ reservationId }) => reservationId === id)).toMatchObject([
      { clock: 'flight', recordedDeciHours: 11, bookedDeciHours: 8 },
      { clock: 'instruction', recordedDeciHours: 11, bookedDeciHours: 8 },
    ])
  })

  test('leaves the flight log as it was written, and says what no longer agrees', async ({
    env: { api },
    payer,
    billed,
    correct,
  }) => {
    const { id } = await billed()
    const url = `/reservations/${id}/log`
    const rows = [{ orgUserId: payer.orgUserId, pic: 11 }]
    await expectOk(api, payer, 'PUT', url, { rows })
    await correct(id)
    const log = await expectOk<{ rows: object[]; problems: object[] }>(api, payer, 'GET', url)
    expect(log).toMatchObject({ rows: [{ pic: 11 }], problems: [{ orgUserId: payer.orgUserId }] })
    expect(await expectOk<object[]>(api, payer, 'GET', `/orgUsers/${payer.orgUserId}/logbook`)).toMatchObject([
      {
        reservationId: id,
        totalDeciHours: 11,
        pic: 11,
        correctedAfterSigning: { at: expect.any(String), toDeciHours: 8 },
      },
    ])
  })

  test('names who is on the flight and has no email address, for the desk to tell', async ({
    env: { api, school },
    billed,
    correct,
  }) => {
    const ana = await buildMember(api, school.organizationId, ['student'])
    const managed = await buildManaged(api, school, { student: true })
    const { id } = await billed({
      type: 'dual',
      personnel: {
        instructors: [{ orgUserId: school.instructor.orgUserId }],
        students: [{ orgUserId: ana.orgUserId }, { orgUserId: managed.orgUserId }],
      },
      stakes: [{ orgUserId: ana.orgUserId, percentage: 100 }],
      by: school.instructor,
      signers: [school.instructor, ana],
    })
    expect(await correct(id)).toMatchObject({
      status: 200,
      body: { warnings: ['Mia Managed has no email address. Please tell them of the correction.'] },
    })
  })

  test('gives back to the ledger what was charged on it, whatever is asked', async ({
    env: { api, school },
    payer,
    billed,
    correct,
  }) => {
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${payer.orgUserId}`, { billingMode: 'ledger' })
    const { id } = await billed()
    expect(await correct(id, { refund: 'none' })).toMatchObject({
      body: { credits: [{ refund: 'ledger', refundedCents: 5_400 }], warnings: [] },
    })
    const [entry] = await expectOk<object[]>(api, payer, 'GET', `/orgUsers/${payer.orgUserId}/ledger`)
    expect(entry).toMatchObject({ kind: 'credit', amountCents: 5_400, balanceCents: -14_400 })
  })

  test('leaves cash that is asked back by card as a credit, with a warning', async ({ billed, pay, look, correct }) => {
    const { id, invoice } = await billed()
    await pay(invoice.id)
    const { status, body } = await correct(id, { refund: 'processor' })
    expect([status, body.credits[0].refund, body.warnings]).toEqual([
      200,
      'none',
      [expect.stringMatching(`cannot go back in this way.*credit note ${body.credits[0].number} `)],
    ])
    expect(await look(invoice.id)).toMatchObject({ creditCents: 5_400 })
  })

  test('credits in full what would be less than 50 cents', async ({ env: { api, school }, billed, look, correct }) => {
    const { id, invoice } = await billed()
    const none = { hobbsTimeOut: 4214.1, hobbsTimeIn: 4214.1 }
    expect(await correct(id, { readings: none })).toMatchObject({
      status: 200,
      body: { credits: [{ amountCents: 19_800 }] },
    })
    expect(await look(invoice.id)).toMatchObject({ status: 'void', creditedCents: 19_800 })
    expect(await expectOk(api, school.admin, 'GET', `/reservations/${id}`)).toMatchObject({ status: 'signed_off' })
  })

  test('writes no credit note when nobody pays less', async ({ billed, correct }) => {
    const { id } = await billed()
    const readings = { tachTimeOut: 900, tachTimeIn: 900.8 }
    expect(await correct(id, { readings })).toMatchObject({ status: 200, body: { data: readings, credits: [] } })
  })

  test('credits each share that a bill-to payer pays, to the payer, who is no admin to correct it', async ({
    env: { api, school },
    payer: child,
    billed,
    pay,
    look,
    correct,
  }) => {
    const parent = await buildMember(api, school.organizationId, ['admin', 'renter'])
    const url = `/orgUsers/${child.orgUserId}`
    await expectOk(api, school.owner, 'PATCH', url, { billToOrgUserId: parent.orgUserId })
    await expectOk(api, parent, 'POST', `${url}/billTo/accept`, {})
    await writeSettings(api, school.organizationId, { chargeRules: { aircraft: 'split_evenly' } })
    // The parent pays a share of the flight too: both invoices are the parent's.
    const pilots = [parent, child].map(({ orgUserId }) => ({ orgUserId }))
    const { id, invoices } = await billed({ type: 'shared', personnel: { pilots }, by: child, signers: [child] })
    const ids = invoices.map((invoice) => invoice.id)
    expect(invoices).toMatchObject([
      { customer: { orgUserId: parent.orgUserId }, billedFor: null, totalCents: 9_900 },
      { customer: { orgUserId: parent.orgUserId }, billedFor: { orgUserId: child.orgUserId }, totalCents: 9_900 },
    ])
    const refused = await correct(id, {}, parent)
    expect([refused.status, refused.body.code]).toEqual([403, 'OWN_MONEY'])
    await pay(ids[1]!, 9_900)
    expect(await correct(id)).toMatchObject({
      status: 200,
      body: {
        credits: [
          { invoiceId: ids[0], amountCents: 2_700, refundedCents: 0 },
          { invoiceId: ids[1], amountCents: 2_700, refundedCents: 2_700 },
        ],
      },
    })
    expect(await look(ids[1]!)).toMatchObject({ creditedCents: 2_700, amountDueCents: 0 })
    const [entry] = await expectOk<object[]>(api, parent, 'GET', `/orgUsers/${parent.orgUserId}/ledger`)
    expect(entry).toMatchObject({ kind: 'credit', amountCents: 2_700, balanceCents: 2_700 })
    expect(await expectOk(api, child, 'GET', `${url}/ledger`)).toEqual([])
  })

  test('credits the invoice of a bill-to payer who was replaced or left since', async ({
    env: { api, school },
    payer: child,
    billed,
    correct,
  }) => {
    const [parent, aunt] = await buildMembers(api, school.organizationId, [['renter'], ['renter']])
    const url = `/orgUsers/${child.orgUserId}`
    const isPaidFor = async (by: Member) => {
      await expectOk(api, school.owner, 'PATCH', url, { billToOrgUserId: by.orgUserId })
      await expectOk(api, by, 'POST', `${url}/billTo/accept`, {})
    }
    await isPaidFor(parent)
    const { id, invoice } = await billed()
    await isPaidFor(aunt)
    expect(await correct(id)).toMatchObject({
      status: 200,
      body: { credits: [{ invoiceId: invoice.id, amountCents: 5_400 }] },
    })
    const next = await billed()
    await expectOk(api, aunt, 'PATCH', url, { billToOrgUserId: null })
    expect(await correct(next.id)).toMatchObject({
      status: 200,
      body: { credits: [{ invoiceId: next.invoice.id, amountCents: 5_400 }] },
    })
  })

  test('waits for the invoice of a bill-to payer that the gateway refused', async ({
    env: { api, school },
    payer: child,
    billed,
    correct,
  }) => {
    const parent = await buildMember(api, school.organizationId, ['renter'])
    const url = `/orgUsers/${child.orgUserId}`
    await expectOk(api, school.owner, 'PATCH', url, { billToOrgUserId: parent.orgUserId })
    await expectOk(api, parent, 'POST', `${url}/billTo/accept`, {})
    const { id, invoice } = await billed()
    await api.core.database.pool.query(`update invoice set status = 'failed' where id = $1`, [invoice.id])
    const refused = await correct(id)
    expect([refused.status, refused.body.code]).toEqual([409, 'NOT_PENDING'])
  })

  test('is made twice at most, and shows the figures that were signed', async ({ billed, pay, look, correct }) => {
    const { id, invoice } = await billed()
    await pay(invoice.id)
    await correct(id)
    const second = { hobbsTimeOut: 4214.1, hobbsTimeIn: 4214.6 }
    expect(await correct(id, { readings: second, reason: 'Again' })).toMatchObject({
      status: 200,
      body: {
        data: { correctedAfterSigning: { reason: 'Again', from: wrong, to: second } },
        credits: [{ amountCents: 5_400 }],
      },
    })
    expect(await look(invoice.id)).toMatchObject({ creditedCents: 10_800, refundedCents: 10_800 })
    const third = await correct(id, { readings: { hobbsTimeOut: 4214.1, hobbsTimeIn: 4214.5 } })
    expect([third.status, third.body.code]).toEqual([409, 'CORRECTED_TWICE'])
  })

  test('above the limit of refunds waits for a second admin, and nothing else happens meanwhile', async ({
    env: { api, school },
    billed,
    pay,
    look,
    correct,
  }) => {
    await setRefundLimit(api, school, 5_000)
    const { id, invoice } = await billed()
    await pay(invoice.id)
    expect(await correct(id)).toMatchObject({
      status: 200,
      body: { credits: [{ refundStatus: 'waiting', refundedCents: 0 }] },
    })
    const again = await correct(id, { readings: { hobbsTimeOut: 4214.1, hobbsTimeIn: 4214.6 } })
    expect([again.status, again.body.code]).toEqual([409, 'NOT_PENDING'])
    const decided = await api.as(school.owner).post(`/invoices/${invoice.id}/refund`, { approved: true })
    expect(decided.statusCode).toBe(200)
    expect(await look(invoice.id)).toMatchObject({ refundedCents: 5_400, creditCents: 0 })
    await setRefundLimit(api, school, null)
  })
})

describe('a correction of a billed flight is refused', () => {
  const code = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

  test('when the crew has to sign: a longer time, own readings of payers, a flight of long ago, one that follows', async ({
    env: { api },
    payer,
    billed,
    correct,
  }) => {
    const { id } = await billed()
    const to = (readings: object) => correct(id, { readings })
    expect(code(await to({ hobbsTimeOut: 4214.1, hobbsTimeIn: 4215.3 }))).toEqual([409, 'NEEDS_REVIEW'])
    expect(code(await to({ hobbsTimeOut: 4214.1, hobbsTimeIn: 4214 }))).toEqual([400, undefined])
    expect(code(await to({ hobbsTimeIn: 4214.9 }))).toEqual([400, undefined])
    expect(code(await to(wrong))).toEqual([400, undefined])
    expect(code(await to({ briefing: 1 }))).toEqual([400, undefined])
    await api.core.database.pool.query(
      `update reservation set ramped_in_at = ramped_in_at - interval '61 days' where id = $1`,
      [id],
    )
    expect(code(await correct(id))).toEqual([409, 'NEEDS_REVIEW'])
    await api.core.database.pool.query(
      `update reservation set ramped_in_at = ramped_in_at + interval '61 days' where id = $1`,
      [id],
    )
    await billed()
    // The flight after it left at 4214.1 by its own readings, so this one may come back earlier, and not later than it did.
    expect(code(await to({ hobbsTimeOut: 4214.5, hobbsTimeIn: 4215.3 }))).toEqual([409, 'NEEDS_REVIEW'])
    const own = await billed({
      stakes: [{ orgUserId: payer.orgUserId, hobbsTimeOut: 4214.1, hobbsTimeIn: 4215.2 }],
    })
    expect(code(await correct(own.id))).toEqual([409, 'NEEDS_REVIEW'])
  })

  test('to whom it concerns, and to who is no admin', async ({ env: { api, school }, billed, correct }) => {
    const { dispatcher, instructor, student } = school
    const flyingAdmin = await buildMember(api, school.organizationId, ['admin', 'renter'])
    const { id } = await billed({ personnel: { renters: [{ orgUserId: flyingAdmin.orgUserId }] }, by: flyingAdmin })
    expect(code(await correct(id, {}, flyingAdmin))).toEqual([403, 'OWN_MONEY'])
    for (const who of [dispatcher, instructor, student]) expect((await correct(id, {}, who)).status).toBe(403)
    expect((await correct(id, {}, school.owner)).status).toBe(200)
    expect((await correct(id + 10_000)).status).toBe(404)
  })

  test('before the flight is invoiced, and when it was paid in advance', async ({ billed, correct }) => {
    const { id } = await billed({ invoiced: false })
    expect(code(await correct(id))).toEqual([409, 'NOT_PENDING'])
    const extra = { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 20_000 }
    const prepaid = await billed({ invoiced: false, extra })
    expect(code(await correct(prepaid.id))).toEqual([409, 'PREPAID_STANDS'])
  })

  test('while the invoice is raised, charged to a card or disputed, and when a package pays', async ({
    env: { api, school },
    payer,
    billed,
    pay,
    correct,
  }) => {
    const { id, invoice } = await billed()
    await pay(invoice.id)
    const dispute = (status: string | null) =>
      api.core.database.pool.query('update invoice set dispute_status = $2 where id = $1', [invoice.id, status])
    await dispute('open')
    expect(code(await correct(id))).toEqual([409, 'NOT_PENDING'])
    await dispute(null)
    const { pool } = api.core.database
    const raised = await billed()
    await pool.query(`update invoice set status = 'pending' where id = $1`, [raised.invoice.id])
    expect(code(await correct(raised.id))).toEqual([409, 'NOT_PENDING'])
    await pool.query(
      `insert into autopay_charge (organization_id, invoice_id, membership_id, state, attempts, amount_cents, counted_on, not_before)
       values ($1, $2, $3, 'charging', 1, 19800, current_date, now())`,
      [school.organizationId, invoice.id, payer.orgUserId],
    )
    expect(code(await correct(id))).toEqual([409, 'PAYMENT_UNDER_WAY'])
    await pool.query('delete from autopay_charge where invoice_id = $1', [invoice.id])
    const block = { name: 'Block', priceCents: 50_000, grant: { amountCents: 50_000 } }
    const { id: packageId } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/packages', block)
    const purchase = await expectOk<{ invoice: { id: number } }>(
      api,
      school.owner,
      'POST',
      `/packages/${packageId}/purchases`,
      {
        orgUserId: payer.orgUserId,
      },
    )
    await pay(purchase.invoice.id, 50_000)
    const covered = await billed()
    expect(code(await correct(covered.id))).toEqual([409, 'NEEDS_REVIEW'])
  })
})

describe('corrections that race', () => {
  test('succeed once when several are sent at once, and never credit an invoice twice with a credit note, a void or a reopening', async ({
    env: { api, school },
    billed,
    pay,
    look,
    correct,
  }) => {
    const { id, invoice } = await billed()
    await pay(invoice.id)
    const both = await Promise.all(Array.from({ length: 8 }, () => correct(id)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
    expect(await look(invoice.id)).toMatchObject({ creditedCents: 5_400, refundedCents: 5_400 })
    for (let round = 0; round < 4; round += 1) {
      const one = await billed()
      if (round % 2 === 0) await pay(one.invoice.id)
      const post = (path: string, body: object) => api.as(school.owner).post(path, body)
      await Promise.all([
        correct(one.id),
        post(`/invoices/${one.invoice.id}/creditNotes`, { amountCents: 16_000, reason: 'All', refund: 'none' }),
        post(`/invoices/${one.invoice.id}/void`, { reason: 'Wrong' }),
        post(`/reservations/${one.id}/reopen`, { reason: 'Wrong' }),
        pay(one.invoice.id).catch(() => null),
      ])
      const after = await look(one.invoice.id)
      expect(after.creditedCents).toBeLessThanOrEqual(19_800)
      const flight = await expectOk<{ hobbsTimeIn: number; correctedAfterSigning: object | null }>(
        ...([api, school.admin, 'GET', `/reservations/${one.id}`] as const),
      )
      const notes = await expectOk<{ reason: string }[]>(
        api,
        school.admin,
        'GET',
        `/invoices/${one.invoice.id}/creditNotes`,
      )
      const isWhole = notes.some(({ reason }) => reason.startsWith('Signed: '))
      expect(flight.hobbsTimeIn).toBe(isWhole ? right.hobbsTimeIn : wrong.hobbsTimeIn)
    }
  })

  test('lock the invoices before the flight, as payments do, so that the two never wait for each other', async ({
    env: { api },
    billed,
    correct,
  }) => {
    const { id, invoice } = await billed()
    const held = await holdRow(api, 'invoice', invoice.id)
    const corrected = correct(id)
    try {
      await eventually(() => held.waitedFor(), Boolean)
      const { pool } = api.core.database
      const flight = await pool.query('select from reservation where id = $1 for key share nowait', [id])
      expect(flight.rowCount).toBe(1)
    } finally {
      await held.release()
    }
    expect((await corrected).status).toBe(200)
  })
})

describe('a correction that needs a confirmation', () => {
  // It is the last, because it grounds the aircraft.
  test('asks for confirmation of what looks like a typo, and of what grounds the aircraft', async ({
    env: { api, school },
    billed,
    correct,
  }) => {
    const long = await billed({ hours: 6 })
    const less = { readings: { hobbsTimeOut: 4214.1, hobbsTimeIn: 4219.9 } }
    const odd = await correct(long.id, less)
    expect([odd.status, odd.body.code]).toEqual([409, 'METER_ANOMALY'])
    expect((await correct(long.id, { ...less, confirmMeterAnomaly: true })).status).toBe(200)
    const { id } = await billed()
    // A digit too many in both readings: the time is plausible, and the aircraft's meter would follow for 25,000 hours.
    const moved = await correct(id, { readings: { hobbsTimeOut: 29_214.1, hobbsTimeIn: 29_214.9 }, dryRun: true })
    const anomaly = { meter: 'hobbs', kind: 'far_from_signed', hours: 25_000, allowedHours: 5 }
    expect([moved.status, moved.body.details?.anomalies]).toMatchObject([409, [anomaly]])
    await expectOk(api, school.technician, 'POST', '/maintenance/reminders', {
      resource: { id: school.plane.id },
      name: '100-hour',
      basis: 'hobbs',
      intervalHours: 100,
      dueReading: 4215.25,
      grounding: true,
    })
    const later = { hobbsTimeOut: 4214.5, hobbsTimeIn: 4215.3 }
    const due = await correct(id, { readings: later })
    expect([due.status, due.body.code]).toEqual([409, 'MAINTENANCE_TRIGGER'])
    const confirmed = await correct(id, { readings: { ...later, confirmMaintenanceTrigger: true } })
    expect([confirmed.status, confirmed.body.data?.hobbsTimeIn]).toEqual([200, 4215.3])
  })
})
