import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { CardKind } from '../../../local/payments/store.ts'
import { chargeByAutopay, mailOfCharge } from '../../../src/shared/billing/autopay/autopay.jobs.ts'
import { type Attempt, changeCharge } from '../../../src/shared/billing/autopay/charge.access.ts'
import { beginCharge } from '../../../src/shared/billing/autopay/start-charge.ts'
import { billShortfall } from '../../../src/shared/billing/packages/packages.jobs.ts'
import { hashPassword } from '../../../src/shared/identity/accounts/hash-password.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { type BillingEnv, startBilling } from '../../support/billing.ts'
import { buildMember, type Member } from '../../support/builders.ts'
import { chargeableNow, payerByCard, paymentsMade, saveCard } from '../../support/cards.ts'
import { bookDual, closedOutFlight, dualBody, expectOk } from '../../support/flights.ts'

let env: BillingEnv
beforeAll(async () => {
  env = await startBilling('postgres')
})
afterEach(() => env.simulator.clearFaults())
afterAll(() => env.close())

interface Invoice {
  id: number
  status: string
  paymentMethod: string | null
}

const pool = () => env.api.core.database.pool
const at = ({ orgUserId }: Member) => `/orgUsers/${orgUserId}`
const patch = (who: Member, body: object, of = who) => env.api.as(who).patch(at(of), body)

const save = (member: Member, card: CardKind, by = member) => saveCard(env, member, card, by)
const payer = (card: CardKind | null, terms?: object) => payerByCard(env, card, terms)
const chargesMade = () => paymentsMade(env)

let flown = 0

/** Invoices a flight of 336.00 of the member: 1.4 h × $180 and 1.4 h × $60. */
async function fly(member: Member): Promise<number> {
  const day = String(++flown).padStart(2, '0')
  const hours = { start: `2026-10-${day}T10:00:00Z`, end: `2026-10-${day}T12:00:00Z` }
  const id = await closedOutFlight(env.api, env.school, { students: [member], ...hours })
  const [invoice] = await expectOk<Invoice[]>(env.api, env.school.admin, 'POST', `/reservations/${id}/invoices`, {})
  await env.workers.settled()
  return invoice!.id
}

const look = (id: number) => expectOk<Invoice>(env.api, env.school.admin, 'GET', `/invoices/${id}`)
const chargeOf = async (id: number) =>
  (await pool().query('select state, attempts, amount_cents from autopay_charge where invoice_id = $1', [id])).rows[0]
const waiting = async (id: number) =>
  (
    await pool().query(
      `select round(extract(epoch from available_at - now()) / 3600) as hours from outbox
       where job = 'autopay.charge-by-autopay' and (payload ->> 'invoiceId')::int = $1 order by available_at`,
      [id],
    )
  ).rows.map(({ hours }) => Number(hours))
const audited = async (action: string, id: number) => {
  const { data } = (await env.api.as(env.school.admin).get(`/audit?action=${action}`)).json()
  return data.filter(({ subject }: { subject: { id: number } }) => subject.id === id)
}
/** Runs an attempt now, whenever the invoice may be charged. */
const attemptEarly = async (invoiceId: number, attempt: number) => {
  await env.workers.run((tx) =>
    tx.enqueue(chargeByAutopay, { organizationId: env.school.organizationId, invoiceId, attempt }),
  )
  await env.workers.settled()
}
/** Runs the attempt again now, as the waiting job will. */
const attemptNow = async (invoiceId: number, attempt: number) => {
  await chargeableNow(env, invoiceId)
  await attemptEarly(invoiceId, attempt)
}

describe('autopay (§Invoices)', () => {
  test('charges a flight’s invoice to the card, once, and the invoice is paid by card', async () => {
    const before = await chargesMade()
    const id = await fly(await payer('ok'))
    expect(await look(id)).toMatchObject({ status: 'paid', paymentMethod: 'card' })
    expect(await chargeOf(id)).toEqual({ state: 'paid', attempts: 1, amount_cents: 33_600 })
    await attemptNow(id, 1)
    await attemptNow(id, 2)
    expect((await chargesMade()) - before).toBe(1)
  })

  test('charges once when the answer of the processor was lost', async () => {
    const member = await payer('ok')
    const before = await chargesMade()
    await env.simulator.fault({ match: 'POST /v1/invoices/:id/pay', kind: 'cut_after_work' })
    const id = await fly(member)
    expect(await look(id)).toMatchObject({ status: 'paid' })
    expect((await chargesMade()) - before).toBe(1)
  })

  test('charges nobody who has it off, is managed, or has no card of their own', async () => {
    const off = await buildMember(env.api, env.school.organizationId, ['student'])
    await save(off, 'ok')
    const without = await payer(null)
    await save(without, 'ok', env.school.admin)
    const [first, second] = [await fly(off), await fly(without)]
    expect([(await look(first)).status, await chargeOf(first)]).toEqual(['open', undefined])
    expect((await look(second)).status).toBe('open')
    expect(await chargeOf(second)).toMatchObject({ state: 'asked' })
    expect((await audited('autopay.payer_asked', second))[0].after).toEqual({ because: 'no_card' })
  })

  test('asks above the limit of an invoice, and above twice that for a day', async () => {
    const small = await payer('ok', { autopayMaxCents: 33_599 })
    const asked = await fly(small)
    expect((await audited('autopay.payer_asked', asked))[0].after).toEqual({ because: 'above_limit' })
    // Two of 336.00 fit in twice 400.00, three do not.
    const daily = await payer('ok', { autopayMaxCents: 40_000 })
    const ids = [await fly(daily), await fly(daily), await fly(daily)]
    const statuses: string[] = []
    for (const id of ids) statuses.push((await look(id)).status)
    expect(statuses).toEqual(['paid', 'paid', 'open'])
    expect((await audited('autopay.payer_asked', ids[2]!))[0].after).toEqual({ because: 'daily_limit' })
    expect(env.workers.mails(daily.email).map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^Please pay: invoice \d+, \$336\.00$/),
    )
  })

  test('waits 24 hours with what somebody else wrote by hand', async () => {
    const member = await payer('ok')
    const bill = { customer: { orgUserId: member.orgUserId }, items: [{ description: 'Headset', unitPrice: 9_000 }] }
    const { id } = await expectOk<Invoice>(env.api, env.school.admin, 'POST', '/invoices', bill)
    await env.workers.settled()
    expect([(await look(id)).status, await waiting(id)]).toEqual(['open', [24]])
    const before = await chargesMade()
    await attemptEarly(id, 1)
    expect([await chargeOf(id), await chargesMade(), await waiting(id)]).toEqual([
      { state: 'planned', attempts: 0, amount_cents: null },
      ...[before, [24, 24]],
    ])
    await attemptNow(id, 1)
    expect((await look(id)).status).toBe('paid')
  })

  test('tells the payer of what somebody else wrote by hand, and charges nothing before that mail has left', async () => {
    const { api, school, workers } = env
    const write = async () => {
      const member = await payer('ok')
      const bill = { customer: { orgUserId: member.orgUserId }, items: [{ description: 'Headset', unitPrice: 9_000 }] }
      const { id } = await expectOk<Invoice>(api, school.admin, 'POST', '/invoices', {
        ...bill,
        memo: 'Headset, green',
      })
      await workers.settled()
      const mails = workers.mails(member.email).filter(({ subject }) => /unless you object$/.test(subject))
      return { id, mails, chargedFrom: (await pool().query(notBefore, [id])).rows[0].not_before as Date | null }
    }
    const notBefore = 'select not_before from autopay_charge where invoice_id = $1'
    const told = await write()
    expect(told.mails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/: \$90\.00 of invoice \d+ are charged to your card, unless you object$/),
    ])
    expect(told.mails[0]?.text).toMatch(/On \w{3}, \w{3} \d+, \d{4}, \d\d:\d\d .* it is charged to your saved card\./)
    expect(told.mails[0]?.text).toContain('Headset, green')
    expect(told.chargedFrom).not.toBeNull()

    const today = new Date().toISOString().slice(0, 10)
    const spend = `insert into mail_count (scope, key, day, mails) values ('all_mail', $1, $2, 2000000)
      on conflict (scope, key, day) do update set mails = 2000000`
    await pool().query(spend, [String(school.organizationId), today])
    const untold = await write()
    await pool().query("delete from mail_count where scope = 'all_mail'")
    expect([untold.mails, untold.chargedFrom, await waiting(untold.id)]).toEqual([[], null, []])
    const before = await chargesMade()
    await attemptEarly(untold.id, 1)
    expect([await chargesMade(), (await look(untold.id)).status]).toEqual([before, 'open'])
    // The same job, sent again by an operator.
    const payload = { organizationId: school.organizationId, invoiceId: untold.id }
    await workers.run((tx) => tx.enqueue(mailOfCharge, payload))
    await workers.settled()
    expect(await waiting(untold.id)).toEqual([24])
  })

  test('tells an owner of what a job raised in the owner’s name, and charges nothing before', async () => {
    const { owner, organizationId } = env.school
    await saveCard(env, owner, 'ok', owner)
    const credit = { name: 'Credit', priceCents: 100_000, grant: { amountCents: 100_000 } }
    const { id } = await expectOk<{ id: number }>(env.api, env.school.admin, 'POST', '/packages', credit)
    const bought = await expectOk<{ id: number; invoice: Invoice }>(
      env.api,
      owner,
      'POST',
      `/packages/${id}/purchases`,
      {
        orgUserId: owner.orgUserId,
      },
    )
    await expectOk(env.api, env.school.admin, 'PATCH', `/invoices/${bought.invoice.id}`, {
      paid: true,
      paymentMethod: 'cash',
    })
    await patch(owner, { autopay: true })
    await env.workers.settled()
    const made = await chargesMade()
    // 600.00 of it are used when the money of its invoice has gone back.
    await pool().query('update package_purchase set used = 60000, withdrawn = 40000, remaining = 0 where id = $1', [
      bought.id,
    ])
    await pool().query('update invoice set credited_cents = total_cents where id = $1', [bought.invoice.id])
    await env.workers.run((tx) => tx.enqueue(billShortfall, { organizationId, purchaseId: bought.id }))
    await env.workers.settled()
    const { rows } = await pool().query(
      `select i.total_cents, c.state, c.not_before > now() + interval '23 hours' as waits
       from invoice i join autopay_charge c on c.invoice_id = i.id where i.membership_id = $1`,
      [owner.orgUserId],
    )
    expect([await chargesMade(), rows]).toEqual([made, [{ total_cents: 60_000, state: 'planned', waits: true }]])
  })

  test('a bank that wants the payer is no decline: the page is mailed', async () => {
    const member = await payer('authentication_required')
    const id = await fly(member)
    expect(await chargeOf(id)).toEqual({ state: 'asked', attempts: 1, amount_cents: null })
    expect((await audited('autopay.payer_asked', id))[0].after).toEqual({ because: 'bank' })
    expect(await audited('autopay.declined', id)).toEqual([])
    const mail = env.workers.mails(member.email).find(({ subject }) => subject?.startsWith('Please pay'))
    expect(JSON.stringify(mail)).toContain(
      (await env.simulator.everything()).invoices.find(({ metadata }) => metadata?.invoiceId === String(id))!
        .hosted_invoice_url,
    )
  })

  test('a declined card is told and tried after 1, 3 and 7 days, and then no more', async () => {
    const member = await payer('declined')
    const id = await fly(member)
    expect([await chargeOf(id), await waiting(id)]).toEqual([
      { state: 'declined', attempts: 1, amount_cents: null },
      [24],
    ])
    const day = String(++flown).padStart(2, '0')
    const hours = { start: `2027-10-${day}T10:00:00Z`, end: `2027-10-${day}T12:00:00Z` }
    const booked = await env.api
      .as(env.school.dispatcher)
      .post('/reservations', dualBody(env.school, { students: [member], ...hours }))
    expect([booked.statusCode, booked.json().warnings]).toEqual([
      201,
      [expect.objectContaining({ rule: 'payment_declined', code: 'CARD_DECLINED', orgUserId: member.orgUserId })],
    ])
    for (const attempt of [2, 3, 4]) await attemptNow(id, attempt)
    expect([await chargeOf(id), await waiting(id)]).toEqual([
      { state: 'declined', attempts: 4, amount_cents: null },
      [24, 72, 168],
    ])
    expect((await audited('autopay.declined', id)).map(({ after }: { after: object }) => after)).toEqual([
      { attempt: 4, last: true },
      ...[3, 2, 1].map((attempt) => ({ attempt, last: false })),
    ])
    expect(
      env.workers.mails(member.email).filter(({ subject }) => subject?.startsWith('Your card was declined')),
    ).toHaveLength(4)
  })

  test.for<[string, (id: number) => Promise<unknown>]>([
    ['void', (id) => expectOk(env.api, env.school.admin, 'POST', `/invoices/${id}/void`, { reason: 'Wrong rate' })],
    [
      'credited in part',
      (id) =>
        expectOk(env.api, env.school.admin, 'POST', `/invoices/${id}/creditNotes`, {
          amountCents: 1_000,
          reason: 'Late',
          refund: 'none',
        }),
    ],
    [
      'paid',
      (id) => expectOk(env.api, env.school.admin, 'PATCH', `/invoices/${id}`, { paid: true, paymentMethod: 'cash' }),
    ],
  ])('a declined card is not tried again for an invoice that is %s', async ([, change]) => {
    const member = await payer('declined')
    const id = await fly(member)
    await change(id)
    await env.workers.settled()
    await save(member, 'ok')
    const before = await chargesMade()
    await attemptNow(id, 2)
    expect([await chargeOf(id), await chargesMade()]).toEqual([
      { state: 'stopped', attempts: 1, amount_cents: null },
      before,
    ])
  })

  test.for<[string, object, string, object[]]>([
    ['a limit below it', { autopayMaxCents: 33_599 }, 'asked', [{ because: 'above_limit' }]],
    ['autopay off', { autopay: false }, 'stopped', []],
  ])('a declined card is not tried again for a payer who has %s since', async ([, change, state, asked]) => {
    const member = await payer('declined')
    const id = await fly(member)
    await expectOk(env.api, member, 'PATCH', at(member), change)
    await save(member, 'ok')
    const before = await chargesMade()
    await attemptNow(id, 2)
    expect([await chargeOf(id), await chargesMade()]).toEqual([{ state, attempts: 1, amount_cents: null }, before])
    const told = (await audited('autopay.payer_asked', id)).map(({ after }: { after: object }) => after)
    expect([told, (await look(id)).status]).toEqual([asked, 'open'])
  })

  test('a price that others set for a booking is asked for with the page to pay on, and not charged', async () => {
    const { api, school, workers } = env
    const member = await payer('ok')
    const before = await chargesMade()
    const hours = { start: '2027-11-01T10:00:00Z', end: '2027-11-01T12:00:00Z' }
    const extra = { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 25_000 }
    const booking = await bookDual(api, school, { students: [member], ...hours, extra })
    await workers.settled()
    const { rows } = await pool().query('select id from invoice where reservation_id = $1', [booking])
    const id: number = rows[0].id
    await attemptNow(id, 1)
    const { payUrl, ...invoice } = await expectOk<Invoice & { payUrl: string }>(
      api,
      school.admin,
      'GET',
      `/invoices/${id}`,
    )
    expect(invoice).toMatchObject({ status: 'open', totalCents: 25_000 })
    expect([await chargeOf(id), await chargesMade()]).toEqual([undefined, before])
    const mails = workers.mails(member.email).filter(({ text }) => text.includes(payUrl))
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/\$250\.00/)])
  })

  test('the limit of a day holds when two jobs begin at once', async () => {
    const member = await payer('declined', { autopayMaxCents: 35_000 })
    const ids = [await fly(member), await fly(member), await fly(member)]
    const { organizationId } = env.school
    const { database, clock } = env.api.core
    for (let round = 0; round < 5; round++) {
      const attempts: Attempt[] = ids.map((invoiceId) => ({ organizationId, invoiceId, attempt: 2 }))
      const begun = await Promise.all(
        attempts.map((attempt) => inTransaction(database, clock, (tx) => beginCharge(tx, attempt))),
      )
      // Two of 336.00 fit in twice 350.00, three do not.
      expect(begun.filter(({ result }) => result !== null)).toHaveLength(2)
      const { rows } = await pool().query(
        'select sum(amount_cents)::int as cents from autopay_charge where membership_id = $1',
        [member.orgUserId],
      )
      expect(rows[0].cents).toBe(67_200)
      for (const attempt of attempts) {
        const again = { state: 'declined', attempts: 1, counted: null } as const
        await inTransaction(database, clock, (tx) => changeCharge(tx, attempt, again))
      }
    }
  })
})

describe('switching autopay (§Members, PATCH /orgUsers/{id})', () => {
  test('is the member’s alone: admins switch it off only, and nothing else is theirs', async () => {
    const { admin, dispatcher } = env.school
    const member = await payer(null)
    const view = async (who: Member) => (await env.api.as(who).get(at(member))).json().data
    expect(await view(member)).toMatchObject({ autopay: true, autopayMaxCents: 100_000 })
    expect(await view(dispatcher)).toMatchObject({ autopay: null, autopayMaxCents: null })
    for (const body of [{ autopay: true }, { autopayMaxCents: 5_000 }]) {
      const refused = await patch(admin, body, member)
      expect([refused.statusCode, refused.json().message]).toEqual([
        403,
        'Only the member can switch autopay on and set its limit. Admins can only switch it off.',
      ])
    }
    expect((await patch(dispatcher, { autopay: false }, member)).statusCode).toBe(403)
    expect((await patch(member, { autopay: true, grounded: false })).statusCode).toBe(403)
    expect((await patch(admin, { autopay: false }, member)).json().data).toMatchObject({ autopay: false })
    const changes = await audited('autopay.changed', member.orgUserId)
    expect(changes.map(({ after }: { after: object }) => after)).toEqual([
      { autopay: false, autopayMaxCents: 100_000, own: false },
      { autopay: true, autopayMaxCents: 100_000, own: true },
    ])
  })

  test('asks for the password again when the sign-in is older than 15 minutes, but not to switch it off', async () => {
    const member = await buildMember(env.api, env.school.organizationId, ['student'])
    const password = 'clear-prop-runway-28'
    await pool().query('update account set password_hash = $1 where id = $2', [
      await hashPassword(password),
      member.accountId,
    ])
    const old = { ...member, token: await staleToken(member) }
    expect((await patch(old, { autopay: true })).json().code).toBe('REAUTHENTICATE')
    expect((await patch(old, { autopayMaxCents: 5_000 })).json().code).toBe('REAUTHENTICATE')
    expect((await patch(old, { autopay: true, password: 'another' })).json().message).toBe('password: is not right')
    expect((await patch(old, { autopay: true, password })).json().data).toMatchObject({ autopay: true })
    expect((await patch(old, { autopay: false })).statusCode).toBe(200)
  })

  test('ends with the membership, which takes the cards away at the processor', async () => {
    const member = await payer('ok')
    expect((await env.api.as(env.school.admin).delete(at(member))).statusCode).toBe(204)
    await env.workers.settled()
    const { rows } = await pool().query('select autopay from membership where id = $1', [member.orgUserId])
    expect(rows).toEqual([{ autopay: false }])
    const { events } = await env.simulator.everything()
    expect(events.at(-1)?.type).toBe('payment_method.detached')
  })
})

/** A token of a sign-in 16 minutes ago. */
async function staleToken({ accountId, orgUserId: membershipId, organizationId }: Member): Promise<string> {
  const signedIn = new Date(Date.now() - 16 * 60_000)
  return (await env.api.core.tokens.issue({ accountId, organizationId, membershipId }, signedIn)).token
}
