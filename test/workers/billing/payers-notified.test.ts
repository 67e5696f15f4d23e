import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invoiceWaited, notifyPayer } from '../../../src/shared/billing/invoices/invoices.jobs.ts'
import { hashOfAddress } from '../../../src/shared/communication/notifications/unproven-mail.access.ts'
import { mailboxOf } from '../../../src/shared/platform/kernel/mailbox.ts'
import { type BillingEnv, startBilling } from '../../support/billing.ts'
import { buildMember, buildSimulator, type Member, writeSettings } from '../../support/builders.ts'
import { paymentsMade, saveCard } from '../../support/cards.ts'
import { eventually } from '../../support/eventually.ts'
import { dualBody, expectOk, fly } from '../../support/flights.ts'
import type { OperationAnswer } from '../../support/operations.ts'

let env: BillingEnv
beforeAll(async () => {
  env = await startBilling('postgres', { settings: { autoInvoice: 'signed_off' } })
})
afterAll(() => env.close())

interface Invoice {
  id: number
  status: string
  totalCents: number
  paymentMethod: string | null
  customer: { orgUserId: number }
}

const of = ({ orgUserId }: Member) => ({ orgUserId })
const pool = () => env.api.core.database.pool
const admin = () => env.school.admin
const renter = () => buildMember(env.api, env.school.organizationId, ['renter'])

/** How a payer's money can be taken without asking. */
type Source = 'card' | 'account' | 'packages'

/** A pilot whose invoices are paid without asking. */
async function payer(source: Source): Promise<Member> {
  const { api } = env
  const member = await renter()
  const at = `/orgUsers/${member.orgUserId}`
  if (source === 'card') {
    await saveCard(env, member, 'ok', member)
    await expectOk(api, member, 'PATCH', at, { autopay: true })
  } else if (source === 'account') {
    await expectOk(api, admin(), 'PATCH', at, { billingMode: 'ledger' })
    await expectOk(api, admin(), 'POST', `${at}/ledger`, { kind: 'deposit', amountCents: 200_000 })
  } else {
    const credit = { name: 'Credit', priceCents: 100_000, grant: { amountCents: 110_000 } }
    const sold = await expectOk<{ id: number }>(api, admin(), 'POST', '/packages', credit)
    const bought = await expectOk<{ invoice: Invoice }>(
      api,
      member,
      'POST',
      `/packages/${sold.id}/purchases`,
      of(member),
    )
    await expectOk(api, admin(), 'PATCH', `/invoices/${bought.invoice.id}`, { paid: true, paymentMethod: 'cash' })
  }
  // The mail of the receipt has gone.
  await env.workers.settled()
  return member
}

/** What was taken of a payer: card payments of everybody, the balance and what is left of packages, in cents. */
async function money(of: Member) {
  const row = async (text: string) => (await pool().query(text, [of.orgUserId])).rows[0]?.cents ?? 0
  return [
    await paymentsMade(env),
    await row('select sum(amount_cents)::int as cents from ledger_entry where membership_id = $1'),
    await row('select sum(remaining)::int as cents from package_purchase where membership_id = $1'),
  ]
}

let day = 0

/** One pilot books with another named first, flies, and signs alone: 1.4 h × $180 = $252.00 for the other. */
async function flownAlone(pilot: Member, other: Member, type: 'shared' | 'rental' = 'shared'): Promise<number> {
  const { api, school, workers } = env
  const on = String(++day).padStart(2, '0')
  const people = [other, pilot].map(of)
  const body = {
    ...dualBody(school, { start: `2027-03-${on}T10:00:00Z`, end: `2027-03-${on}T12:00:00Z` }),
    type,
    personnel: type === 'shared' ? { pilots: people } : { renters: people },
  }
  const { id } = await expectOk<{ id: number }>(api, pilot, 'POST', '/reservations', body)
  await fly(api, school, id, pilot)
  await expectOk(api, pilot, 'POST', `/reservations/${id}/confirmReview`)
  await workers.settled()
  return id
}

const invoicesOf = async (id: number) => {
  const all = await expectOk<(Invoice & { reservation: { id: number } | null })[]>(env.api, admin(), 'GET', '/invoices')
  return all.filter(({ reservation }) => reservation?.id === id)
}

/** Lets hours pass since the payers of a flight were told and since its signatures, and runs the job that waits for them. */
async function hoursLater(hours: number, reservationId: number): Promise<void> {
  const by = "- $1 * interval '1 hour'"
  for (const earlier of [
    `update charge_notice set notified_at = notified_at ${by} where reservation_id = $2`,
    `update reservation set signed_off_at = signed_off_at ${by}, signatures_cleared_at = signatures_cleared_at ${by} where id = $2`,
  ])
    await pool().query(earlier, [hours, reservationId])
  const { organizationId } = env.school
  await env.workers.run((tx) => tx.enqueue(invoiceWaited, { organizationId, reservationId }))
  await env.workers.settled()
}

/** The hours that the jobs of a flight wait. */
const waits = async (reservationId: number) =>
  (
    await pool().query(
      `select round(extract(epoch from available_at - now()) / 3600)::int as hours from outbox
       where job = $1 and (payload ->> 'reservationId')::int = $2 order by 1`,
      [invoiceWaited.name, reservationId],
    )
  ).rows.map(({ hours }) => hours)

const noticesTo = (member: Member) =>
  env.workers.mails(member.email).filter(({ subject }) => /unless you object/.test(subject))
const put = (who: Member, id: number, payers: object[]) => env.api.as(who).put(`/reservations/${id}/payers`, { payers })

describe('money of a payer who did not sign (§Invoices)', () => {
  test.for<[Source, 'shared' | 'rental', string]>([
    ['card', 'rental', 'your saved card'],
    ['account', 'shared', 'your account with the school'],
    ['packages', 'shared', 'your packages'],
  ])('stays untouched for 24 hours after a mail: %s, %s', async ([source, type, words]) => {
    const [pilot, other] = [await renter(), await payer(source)]
    const before = await money(other)
    const id = await flownAlone(pilot, other, type)
    const untouched = async () => {
      expect([await money(other), await invoicesOf(id)]).toEqual([before, []])
    }
    await untouched()
    expect(await waits(id)).toEqual([24])
    const [mail, ...more] = noticesTo(other)
    expect(more).toEqual([])
    expect(mail?.subject).toMatch(/: \$252\.00 for Lesson 4: stalls, unless you object$/)
    expect(mail?.text).toContain(`It was signed by ${pilot.name}. You have not signed it.`)
    expect(mail?.text).toMatch(
      new RegExp(`On \\w{3}, \\w{3} \\d+, \\d{4}, \\d\\d:\\d\\d UTC this is taken from ${words}\\. Nothing is`),
    )
    expect(mail?.text).toContain('when you sign it, it is taken at once')
    expect(noticesTo(pilot)).toEqual([])
    await hoursLater(23, id)
    await untouched()
    await hoursLater(1, id)
    const paid = await eventually(
      () => invoicesOf(id),
      ([one]) => one?.status === 'paid',
    )
    expect(paid).toMatchObject([{ customer: of(other) }])
    expect(await money(other)).not.toEqual(before)
    expect(noticesTo(other)).toHaveLength(1)
  })

  test('is left to the students of a sim who did not sign it', async () => {
    const { api, school, workers } = env
    const [ana, ben] = [await payer('account'), await payer('account')]
    await pool().query('update membership set student = true where id = any($1)', [[ana.orgUserId, ben.orgUserId]])
    await pool().query('update membership set sim_rate_cents = 5500 where id = $1', [school.instructor.orgUserId])
    const lesson = (instructors: Member[], type: 'sim' | 'ground') =>
      expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', {
        ...dualBody(school, { start: `2026-11-0${++lessons}T10:00:00Z`, end: `2026-11-0${lessons}T12:00:00Z` }),
        type,
        resource: null,
        personnel: { instructors: instructors.map(of), students: [ben, ana].map(of) },
      })
    let lessons = 0
    // Without an instructor there is nothing to bill for a sim without a simulator; with one, the instructor signs too.
    for (const type of ['sim', 'ground'] as const) {
      const { id } = await lesson([school.instructor], type)
      for (const who of [ana, school.instructor]) await expectOk(api, who, 'POST', `/reservations/${id}/confirmReview`)
      await workers.settled()
      expect(await invoicesOf(id)).toMatchObject([{ customer: of(ben), status: 'paid' }])
    }
    const simulator = await buildSimulator(api, school)
    const body = dualBody(school, { start: '2026-11-08T10:00:00Z', end: '2026-11-08T12:00:00Z' })
    const personnel = { students: [ben, ana].map(of) }
    const made = { ...body, type: 'sim', resource: { id: simulator.id }, personnel }
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', made)
    const before = await money(ben)
    await expectOk(api, ana, 'POST', `/reservations/${id}/rampOut`, { hobbsTimeOut: 500 })
    await expectOk(api, ana, 'POST', `/reservations/${id}/rampIn`, { hobbsTimeIn: 501 })
    await expectOk(api, ana, 'POST', `/reservations/${id}/confirmReview`)
    await workers.settled()
    expect([await money(ben), await invoicesOf(id), noticesTo(ben).length]).toEqual([before, [], 1])
  })

  test('is taken at once when they signed themself, or had nothing to be taken', async () => {
    const pilot = await payer('account')
    const alone = await flownAlone(pilot, await renter())
    expect(await invoicesOf(alone)).toHaveLength(1)
    const id = await flownAlone(await payer('account'), pilot)
    expect(await invoicesOf(id)).toEqual([])
    await expectOk(env.api, env.school.dispatcher, 'POST', `/reservations/${id}/reopen`, { reason: 'Sign, please' })
    await expectOk(env.api, pilot, 'POST', `/reservations/${id}/confirmReview`)
    await env.workers.settled()
    expect(await invoicesOf(id)).toMatchObject([{ status: 'paid', paymentMethod: 'ledger' }])
    await hoursLater(25, id)
    expect(await invoicesOf(id)).toHaveLength(1)
  })

  test('waits the same when the desk invoices, alone or many flights at once, and is told once', async () => {
    const { api, workers } = env
    const other = await payer('account')
    const id = await flownAlone(await renter(), other)
    const before = await money(other)
    for (const _ of [1, 2]) {
      const answer = await api.as(admin()).post(`/reservations/${id}/invoices`)
      expect([answer.statusCode, answer.json().data, answer.json().warnings]).toEqual([
        200,
        [],
        [
          expect.stringMatching(
            new RegExp(`^${other.name} has not signed the flight\\. They were mailed what will be charged`),
          ),
        ],
      ])
    }
    const { data } = (
      await api.as(admin()).post('/invoices/batch', { filter: { endedBefore: '2028-01-01T00:00:00Z' } })
    ).json()
    await workers.settled()
    expect(await expectOk<OperationAnswer>(api, admin(), 'GET', `/operations/${data.id}`)).toMatchObject({ failed: 0 })
    expect([await money(other), await invoicesOf(id)]).toEqual([before, []])
    expect(noticesTo(other)).toHaveLength(1)
    await hoursLater(24, id)
    expect(await invoicesOf(id)).toHaveLength(1)
  })

  test('is settled by other payers that the desk sets, and told anew when the flight is signed again', async () => {
    const other = await payer('account')
    const pilot = await payer('account')
    const id = await flownAlone(pilot, other)
    const before = await money(other)
    expect((await put(env.school.dispatcher, id, [{ ...of(pilot), percentage: 100 }])).statusCode).toBe(200)
    await hoursLater(25, id)
    expect([await money(other), await invoicesOf(id)]).toEqual([before, []])
    await expectOk(env.api, pilot, 'POST', `/reservations/${id}/confirmReview`)
    await env.workers.settled()
    expect(await invoicesOf(id)).toMatchObject([{ customer: of(pilot), status: 'paid' }])
    expect(await money(other)).toEqual(before)
  })

  test('is told anew when more would be taken than the mail said', async () => {
    const other = await payer('account')
    const id = await flownAlone(await renter(), other)
    await pool().query('update resource set wet_rate_cents = wet_rate_cents + 100 where id = $1', [env.school.plane.id])
    await hoursLater(24, id)
    expect(await invoicesOf(id)).toEqual([])
    // 1.4 h × $181.
    expect(noticesTo(other).map(({ subject }) => /\$[\d.]+/.exec(subject)?.[0])).toEqual(['$252.00', '$253.40'])
    await pool().query('update resource set wet_rate_cents = wet_rate_cents - 100 where id = $1', [env.school.plane.id])
    await hoursLater(24, id)
    expect(await invoicesOf(id)).toMatchObject([{ totalCents: 25_200 }])
  })

  test('is taken as soon as the payer signs, though the flight is signed off', async () => {
    const { api, workers } = env
    const [pilot, other] = [await renter(), await payer('account')]
    const id = await flownAlone(pilot, other)
    const sign = async (who: Member) => {
      const answer = await api.as(who).post(`/reservations/${id}/confirmReview`)
      await workers.settled()
      return [answer.statusCode, answer.json().message]
    }
    const waitsFor = async (who: Member) =>
      (await expectOk<{ review: { waitsFor: object[] } }>(api, who, 'GET', `/reservations/${id}`)).review.waitsFor
    const todo = async (who: Member) => {
      const items = await expectOk<{ subject: { id: number }; action: object }[]>(api, who, 'GET', '/todo/me')
      return items.filter(({ subject }) => subject.id === id).map(({ action }) => action)
    }
    const { rows } = await pool().query('select notified_at from charge_notice where reservation_id = $1', [id])
    const wait = { ...of(other), until: new Date(rows[0].notified_at.getTime() + 24 * 3_600_000).toISOString() }
    expect([await waitsFor(other), await waitsFor(admin()), await waitsFor(pilot)]).toEqual([[wait], [wait], []])
    // A to-do list has the bookings of the last 90 days; those here are flown before they start.
    const past = "starts_at = now() - interval '3 hours', ends_at = now() - interval '1 hour'"
    await pool().query(`update reservation set ${past} where id = $1`, [id])
    const action = { method: 'POST', path: `/reservations/${id}/confirmReview` }
    expect([await todo(other), await todo(pilot)]).toEqual([[action], []])
    expect((await sign(pilot))[0]).toBe(409)
    expect((await sign(other))[0]).toBe(200)
    expect([await waitsFor(other), await todo(other)]).toEqual([[], []])
    expect(await invoicesOf(id)).toMatchObject([{ customer: of(other), status: 'paid' }])
    expect(await sign(other)).toEqual([409, 'Everything is confirmed already.'])
    await hoursLater(24, id)
    expect(await invoicesOf(id)).toHaveLength(1)
  })

  test('is not taken again once the desk has voided the invoice, and told anew when it invoices the flight again', async () => {
    const { api, workers } = env
    const voided = async (id: number) => {
      const [invoice] = await invoicesOf(id)
      const entry = await pool().query('select id from ledger_entry where invoice_id = $1', [invoice?.id])
      await expectOk(api, admin(), 'POST', `/ledger/${entry.rows[0].id}/reverse`, { reason: 'They did not fly' })
      return (await invoicesOf(id)).map(({ status }) => status)
    }
    const signer = await payer('account')
    const signed = await flownAlone(await renter(), signer)
    await expectOk(api, signer, 'POST', `/reservations/${signed}/confirmReview`)
    await workers.settled()
    expect(await voided(signed)).toEqual(['void'])
    // The job of the 24 hours, which the signature came before.
    await hoursLater(24, signed)
    expect((await invoicesOf(signed)).map(({ status }) => status)).toEqual(['void'])

    const other = await payer('account')
    const before = await money(other)
    const id = await flownAlone(await renter(), other)
    await hoursLater(24, id)
    expect(await voided(id)).toEqual(['void'])
    await hoursLater(48, id)
    const again = await api.as(admin()).post(`/reservations/${id}/invoices`)
    await workers.settled()
    expect([again.statusCode, await money(other), noticesTo(other).length]).toEqual([200, before, 2])
    await hoursLater(24, id)
    expect((await invoicesOf(id)).map(({ status }) => status).sort()).toEqual(['paid', 'void'])
  })

  test('is told once while the figures change within what was told, whose 24 hours go on', async () => {
    const { api, workers } = env
    const [pilot, other] = [await renter(), await payer('account')]
    const id = await flownAlone(pilot, other)
    const { hobbsOut } = (
      await pool().query('select hobbs_out / 100.0 as "hobbsOut" from reservation where id = $1', [id])
    ).rows[0]
    const fly = async (hours: number) => {
      const hobbs = { hobbsTimeOut: Number(hobbsOut), hobbsTimeIn: Math.round((Number(hobbsOut) + hours) * 100) / 100 }
      await expectOk(api, pilot, 'POST', `/reservations/${id}/updateReviewTimes`, {
        ...hobbs,
        confirmMeterAnomaly: true,
      })
      await expectOk(api, pilot, 'POST', `/reservations/${id}/confirmReview`)
      await workers.settled()
    }
    await hoursLater(20, id)
    for (const hours of [1.3, 1.4, 1.2, 1.3]) await fly(hours)
    expect(noticesTo(other)).toHaveLength(1)
    // More is told anew, at most three times a day of one flight; what is not told is not taken.
    const today = new Date().toISOString().slice(0, 10)
    const count = ['charge_flight', `${id} ${other.orgUserId}`, today, 2_000_000]
    const counted =
      'insert into mail_count (scope, key, day, mails) values ($1, $2, $3, $4) on conflict (scope, key, day) do update set mails = $4'
    await pool().query(counted, count)
    for (const hours of [1.5, 1.6]) await fly(hours)
    const later = await pool().query(
      `select payload, available_at > now() as later from outbox where job = $1 and (payload ->> 'reservationId')::int = $2`,
      [notifyPayer.name, id],
    )
    expect(later.rows).toMatchObject([{ later: true }])
    await hoursLater(48, id)
    expect([noticesTo(other).length, await invoicesOf(id)]).toEqual([1, []])
    const answer = await api.as(admin()).post(`/reservations/${id}/invoices`)
    expect(answer.json().warnings).toEqual([
      `${other.name} has not signed the flight. They are mailed what will be charged; the flight is invoiced 24 hours after that mail is sent.`,
    ])
    await pool().query("delete from mail_count where scope = 'charge_flight'")
    for (const _ of [1, 2]) {
      await workers.run((tx) => tx.enqueue(notifyPayer, later.rows[0].payload))
      await workers.settled()
    }
    expect(noticesTo(other)).toHaveLength(2)
    await fly(1.3)
    await hoursLater(24, id)
    expect(await invoicesOf(id)).toMatchObject([{ totalCents: 23_400 }])
  })

  test.for([1.3, 1.4])(
    'is told anew when a corrected flight is signed again after the 24 hours: %s h',
    async (hours) => {
      const { api, workers } = env
      const [pilot, other] = [await renter(), await payer('account')]
      const before = await money(other)
      const id = await flownAlone(pilot, other)
      const { rows } = await pool().query('select hobbs_out / 100.0 as out from reservation where id = $1', [id])
      const hobbsTimeOut = Number(rows[0].out)
      const correct = (flown: number) =>
        expectOk(api, pilot, 'POST', `/reservations/${id}/updateReviewTimes`, {
          hobbsTimeOut,
          hobbsTimeIn: Math.round((hobbsTimeOut + flown) * 100) / 100,
          confirmMeterAnomaly: true,
        })
      await correct(1.2)
      await correct(hours)
      await hoursLater(25, id)
      await expectOk(api, pilot, 'POST', `/reservations/${id}/confirmReview`)
      await workers.settled()
      expect([await money(other), await invoicesOf(id), noticesTo(other).length]).toEqual([before, [], 2])
      await hoursLater(23, id)
      expect([await money(other), await invoicesOf(id)]).toEqual([before, []])
      await hoursLater(1, id)
      expect(await invoicesOf(id)).toMatchObject([{ status: 'paid' }])
      expect(noticesTo(other)).toHaveLength(2)
    },
  )

  test('takes nothing from the mails that a managed member must get', async () => {
    const other = await payer('account')
    await pool().query('update membership set account_id = null where id = $1', [other.orgUserId])
    await flownAlone(await renter(), other)
    expect(noticesTo(other)).toHaveLength(1)
    const key = hashOfAddress(mailboxOf(other.email))
    const { rows } = await pool().query('select scope from mail_count where key = $1 order by 1', [key])
    expect(rows.map(({ scope }) => scope)).toEqual(['charge_address', 'charge_mailbox_hour'])
    // Who has no account cannot sign: the desk does.
    const [mail] = noticesTo(other)
    expect(mail?.text).toContain('It was not signed for you.')
    expect(mail?.text).toMatch(/when .+ signs it for you, it is taken at once/)
    expect(mail?.text).not.toMatch(/[Yy]ou (have not )?sign/)
  })

  test('is not taken while the mail has not left', async () => {
    const other = await payer('account')
    const id = await flownAlone(await renter(), other)
    const before = await money(other)
    await pool().query('update charge_notice set notified_at = null where reservation_id = $1', [id])
    await hoursLater(48, id)
    expect([await money(other), await invoicesOf(id), noticesTo(other).length]).toEqual([before, [], 1])
  })

  test('is not taken when the mail is given up: admins are told of the mail, and of each flight that is not invoiced', async () => {
    const { api, school } = env
    const other = await payer('account')
    const before = await money(other)
    const used = 'insert into mail_count (scope, key, day, mails) values ($1, $2, $3, $4)'
    const today = new Date().toISOString().slice(0, 10)
    await pool().query("delete from mail_count where scope = 'all_mail'")
    await pool().query(used, ['all_mail', String(school.organizationId), today, 2_000_000])
    const ids = [await flownAlone(await renter(), other), await flownAlone(await renter(), other)]
    await pool().query("delete from mail_count where scope = 'all_mail'")
    for (const id of ids) await hoursLater(48, id)
    expect([await money(other), (await Promise.all(ids.map(invoicesOf))).flat()]).toEqual([before, []])
    const told = await expectOk<{ kind: string; title: string; body: string }[]>(api, admin(), 'GET', '/notifications')
    const of = (wanted: string) => told.filter(({ kind, body }) => kind === wanted && body.includes(other.name))
    expect(of('invoice_failed').map(({ body }) => body)).toEqual(
      Array(2).fill(expect.stringContaining('the mail about what it costs could not be delivered')),
    )
    expect(of('mail_given_up').map(({ title }) => title)).toEqual([`A mail was not sent: a mail to ${other.name}`])
  })

  test('is told anew at once, and said so, when somebody invoices the flight after the mail was given up', async () => {
    const { api, school, workers } = env
    const other = await payer('account')
    const spent = async () => {
      const today = new Date().toISOString().slice(0, 10)
      const used = `insert into mail_count (scope, key, day, mails) values ('all_mail', $1, $2, 2000000)
        on conflict (scope, key, day) do update set mails = 2000000`
      await pool().query(used, [String(school.organizationId), today])
    }
    const invoice = async () => {
      const answer = await api.as(admin()).post(`/reservations/${id}/invoices`)
      await workers.settled()
      return answer.json().warnings[0]
    }
    await spent()
    const id = await flownAlone(await renter(), other)
    const again = `${other.name} has not signed the flight, and the last mail about it could not be delivered. They are mailed again; the flight is invoiced 24 hours after that mail has left.`
    expect([await invoice(), noticesTo(other).length]).toEqual([again, 0])
    await pool().query("delete from mail_count where scope = 'all_mail'")
    expect([await invoice(), noticesTo(other).length]).toEqual([again, 1])
    expect(await invoice()).toMatch(/They were mailed what will be charged from .* on; the flight is invoiced then\.$/)
    await hoursLater(24, id)
    expect(await invoicesOf(id)).toMatchObject([{ status: 'paid' }])
  })

  test('is told of five flights an hour in one mailbox, and of the next one later', async () => {
    const other = await payer('account')
    const key = hashOfAddress(mailboxOf(other.email))
    const hours = [0, 1].map((more) => new Date(Date.now() + more * 3_600_000).toISOString().slice(0, 13))
    const used = `insert into mail_count (scope, key, day, mails) select 'charge_mailbox_hour', $1, unnest($2::text[]), 4999`
    await pool().query(used, [key, hours])
    // The tests’ limits are a thousand times as high: this is the last one.
    await flownAlone(await renter(), other)
    expect(noticesTo(other)).toHaveLength(1)
    const id = await flownAlone(await renter(), other)
    const put = await pool().query(
      `select payload, available_at - now() between interval '0' and interval '1 hour' as "withinTheHour" from outbox
       where job = $1 and (payload ->> 'reservationId')::int = $2`,
      [notifyPayer.name, id],
    )
    expect([put.rows.map(({ withinTheHour }) => withinTheHour), noticesTo(other).length]).toEqual([[true], 1])
    await hoursLater(48, id)
    expect(await invoicesOf(id)).toEqual([])
    await pool().query("delete from mail_count where scope = 'charge_mailbox_hour' and key = $1", [key])
    await env.workers.run((tx) => tx.enqueue(notifyPayer, put.rows[0].payload))
    await env.workers.settled()
    expect(noticesTo(other)).toHaveLength(2)
  })

  test('is not taken from a member whom no mail reaches: admins are told', async () => {
    const other = await payer('account')
    await pool().query("update membership set search_email = '' where id = $1", [other.orgUserId])
    const id = await flownAlone(await renter(), other)
    const refused = await env.api.as(admin()).post(`/reservations/${id}/invoices`)
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      `${other.name} has not signed the flight and has no email address for the notice. Reopen it and sign for them, or add an address.`,
    ])
    const told = await expectOk<{ kind: string; body: string }[]>(env.api, admin(), 'GET', '/notifications')
    expect(told.filter(({ kind, body }) => kind === 'invoice_failed' && body.includes(other.name))).toHaveLength(1)
  })

  test('is not charged ahead by who may set a price', async () => {
    const { api, school } = env
    await writeSettings(api, school.organizationId, { prepaidBy: 'anyone' })
    const [pilot, other] = [await renter(), await payer('account')]
    const book = (first: Member, second: Member) =>
      api.as(pilot).post('/reservations', {
        ...dualBody(school, { start: '2027-05-01T10:00:00Z', end: '2027-05-01T12:00:00Z' }),
        type: 'shared',
        personnel: { pilots: [first, second].map(of) },
        collectionStyle: 'prepaid_fixed',
        prepaidAmountCents: 50_000,
      })
    const refused = await book(other, pilot)
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      'Only the booking’s instructor, and staff who are not on it, can charge a prepaid price to somebody else. Book ' +
        'with yourself as the first payer.',
    ])
    expect((await book(pilot, other)).statusCode).toBe(201)
  })

  test('is not charged ahead by desk staff or an instructor who fly along', async () => {
    const { api, school } = env
    for (const role of ['dispatcher', 'instructor', 'admin'] as const) {
      const [clerk, other] = [await buildMember(api, school.organizationId, [role, 'renter']), await payer('account')]
      const before = await money(other)
      const on = String(++day).padStart(2, '0')
      const book = (pilots: Member[]) =>
        api.as(clerk).post('/reservations', {
          ...dualBody(school, { start: `2027-06-${on}T10:00:00Z`, end: `2027-06-${on}T12:00:00Z` }),
          type: 'shared',
          personnel: { pilots: pilots.map(of) },
          collectionStyle: 'prepaid_fixed',
          prepaidAmountCents: 300_000,
        })
      expect((await book([other, clerk])).statusCode).toBe(403)
      expect(await money(other)).toEqual(before)
      expect((await book([clerk, other])).statusCode).toBe(201)
      expect(await money(other)).toEqual(before)
    }
  })
})
