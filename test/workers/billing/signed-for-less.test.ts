import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BillingEnv, startBilling } from '../../support/billing.ts'
import { buildMember, type Member } from '../../support/builders.ts'
import { dualBody, expectOk, fly } from '../../support/flights.ts'
import { buildManaged } from '../../support/managed.ts'

let env: BillingEnv
beforeAll(async () => {
  const chargeRules = { aircraft: 'split_evenly', instruction: 'split_evenly' } as const
  env = await startBilling('postgres', { settings: { chargeRules } })
})
afterAll(() => env.close())

const of = ({ orgUserId }: Pick<Member, 'orgUserId'>) => ({ orgUserId })
const admin = () => env.school.admin
const noticesTo = (address: string) =>
  env.workers.mails(address).filter(({ subject }) => /unless you object/.test(subject))

async function onLedger(member: Member): Promise<Member> {
  await expectOk(env.api, admin(), 'PATCH', `/orgUsers/${member.orgUserId}`, { billingMode: 'ledger' })
  return member
}
const renter = async () => onLedger(await buildMember(env.api, env.school.organizationId, ['renter']))

/** The pilots share a flight of $252.00 and one of them signs it. */
async function flown(pilots: Pick<Member, 'orgUserId'>[], signer: Member, day: number): Promise<number> {
  const { api, school } = env
  const body = {
    ...dualBody(school, { start: `2027-05-0${day}T10:00:00Z`, end: `2027-05-0${day}T12:00:00Z` }),
    type: 'shared',
    personnel: { pilots: pilots.map(of) },
  }
  const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', body)
  await fly(api, school, id, signer)
  await expectOk(api, signer, 'POST', `/reservations/${id}/confirmReview`)
  return id
}

async function invoice(id: number): Promise<{ totalCents: number }[]> {
  const invoices = await expectOk<{ totalCents: number }[]>(env.api, admin(), 'POST', `/reservations/${id}/invoices`)
  await env.workers.settled()
  return invoices
}

const change = (settings: object) => expectOk(env.api, admin(), 'PATCH', '/organizations', { settings })

describe('a signature agrees to what the flight cost when it was given (§Invoices)', () => {
  test.for<[string, number, () => Promise<unknown>]>([
    ['charge rules', 1, () => change({ chargeRules: { aircraft: 'one_payer', instruction: 'one_payer' } })],
    [
      'the rate of the aircraft',
      2,
      () => env.api.core.database.pool.query('update resource set wet_rate_cents = wet_rate_cents * 2'),
    ],
    ['taxes', 3, () => change({ taxRates: [{ name: 'VAT', basisPoints: 2000 }] })],
  ])('%s that change afterwards charge nobody more without notice', async ([, day, raise]) => {
    const signer = await renter()
    const other = await buildMember(env.api, env.school.organizationId, ['renter'])
    const id = await flown([signer, other], signer, day)
    await raise()
    expect(await invoice(id)).toEqual([])
    const [mail, ...more] = noticesTo(signer.email)
    expect([mail?.text, more]).toEqual([expect.stringContaining('It costs you more than when it was signed.'), []])
    await expectOk(env.api, signer, 'POST', `/reservations/${id}/confirmReview`)
    await env.workers.settled()
    const { rows } = await env.api.core.database.pool.query(
      'select status from invoice where reservation_id = $1 and membership_id = $2',
      [id, signer.orgUserId],
    )
    expect(rows).toEqual([{ status: 'paid' }])
  })
})

describe('a signature by somebody who is no longer an instructor', () => {
  test('agrees for no payer', async () => {
    const { api, school, workers } = env
    const { pool } = api.core.database
    const [other, pilot] = [await renter(), await buildMember(api, school.organizationId, ['renter'])]
    const friend = await buildMember(api, school.organizationId, ['instructor'])
    const body = {
      ...dualBody(school, { start: '2027-05-08T10:00:00Z', end: '2027-05-08T12:00:00Z' }),
      type: 'rental',
      personnel: { instructors: [of(friend)], renters: [other, pilot].map(of) },
    }
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', body)
    await pool.query('update membership set instructor = false, renter = true where id = $1', [friend.orgUserId])
    await fly(api, school, id, pilot)
    for (const who of [friend, pilot]) await expectOk(api, who, 'POST', `/reservations/${id}/confirmReview`)
    expect(await invoice(id)).toEqual([])
    await workers.settled()
    const charged = 'select count(*)::int as entries from ledger_entry where membership_id = $1'
    const { rows } = await pool.query(charged, [other.orgUserId])
    expect([noticesTo(other.email).length, rows]).toEqual([1, [{ entries: 0 }]])
  })
})

describe('a payer who deleted the account', () => {
  test('is charged when the desk, which does not pay, signs for them', async () => {
    const { api, school, workers } = env
    const [gone, pilot] = [await renter(), await buildMember(api, school.organizationId, ['renter'])]
    const id = await flown([gone, pilot], pilot, 9)
    expect((await api.as(gone).delete('/users')).statusCode).toBe(204)
    const refused = await api.as(admin()).post(`/reservations/${id}/invoices`)
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      expect.stringContaining('Reopen it and sign for them'),
    ])
    const { dispatcher } = school
    await expectOk(api, dispatcher, 'POST', `/reservations/${id}/reopen`, { reason: 'Signed on paper' })
    await expectOk(api, dispatcher, 'POST', `/reservations/${id}/confirmReview`, { onBehalfOf: gone.orgUserId })
    await workers.settled()
    expect((await invoice(id)).length).toBeGreaterThan(0)
  })
})

describe('a managed member who was notified and is merged (§People)', () => {
  test('the other member is notified anew before being charged', async () => {
    const { api, school, workers } = env
    const managed = await buildManaged(api, school, { renter: true, email: 'mia@managed.example' })
    await expectOk(api, admin(), 'PATCH', `/orgUsers/${managed.orgUserId}`, { billingMode: 'ledger' })
    const [pilot, into] = [await buildMember(api, school.organizationId, ['renter']), await renter()]
    const id = await flown([managed, pilot], pilot, 4)
    expect(await invoice(id)).toEqual([])
    const earlier = "update charge_notice set notified_at = notified_at - interval '25 hours' where reservation_id = $1"
    await api.core.database.pool.query(earlier, [id])
    await expectOk(api, admin(), 'POST', `/orgUsers/${managed.orgUserId}/merge`, { intoOrgUserId: into.orgUserId })
    await workers.settled()
    expect(noticesTo(into.email)).toHaveLength(1)
    expect(await invoice(id)).toEqual([])
  })
})
