import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashOfAddress } from '../../../src/shared/communication/notifications/unproven-mail.access.ts'
import { type BillingEnv, startBilling } from '../../support/billing.ts'
import { asking } from '../../support/booking-requests.ts'
import { buildAccount, buildMember, buildSchool, type School, writeSettings } from '../../support/builders.ts'
import { bookDual, closedOutFlight, dualBody, expectOk, setRates } from '../../support/flights.ts'
import { offer } from '../../support/offerings.ts'

let env: BillingEnv
beforeAll(async () => {
  env = await startBilling('postgres', { env: { RATE_LIMIT_FACTOR: '1', TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => env.close())
beforeEach(async () => {
  const { pool } = env.api.core.database
  await pool.query('delete from mail_count')
  await pool.query('delete from undelivered_mail')
  await pool.query('update organization set show_in_directory = true')
})

/** Writes down that so many mails of today went already. */
async function used(scope: string, key: number | string, mails: number): Promise<void> {
  await env.api.core.database.pool.query('insert into mail_count (scope, key, day, mails) values ($1, $2, $3, $4)', [
    scope,
    String(key),
    new Date().toISOString().slice(0, 10),
    mails,
  ])
}
async function bookGuest({ instructor }: Pick<School, 'instructor'>, day: number, email: string): Promise<number> {
  const made = await expectOk<{ id: number }>(env.api, instructor, 'POST', '/reservations', {
    title: 'Discovery flight',
    type: 'guest',
    start: `2027-01-${day}T10:00:00Z`,
    end: `2027-01-${day}T11:00:00Z`,
    timeZoneName: 'UTC',
    personnel: {
      instructors: [{ orgUserId: instructor.orgUserId }],
      guests: [{ name: 'Gwen Visitor', email, phone: '+1 510 555 0102' }],
    },
  })
  return made.id
}
const items = [{ description: 'Discovery flight', unitPrice: 19_900 }]
const invite = (email: string) =>
  expectOk(env.api, env.school.admin, 'POST', '/organizations/invite', { email, instructor: true })
const billGuest = (email: string) =>
  expectOk<{ id: number }>(env.api, env.school.admin, 'POST', '/invoices', {
    guest: { name: 'Gus Ode', email, phone: '+1 510 555 0101' },
    items,
  })
const cancel = async (id: number, { token } = env.school.dispatcher as { token: string }) => {
  const off = await env.api.call('DELETE', `/reservations/${id}`, {
    token,
    body: { category: 'weather', reason: 'Fog' },
  })
  expect(off.statusCode, off.body).toBeLessThan(300)
}
async function noticesTo(who: { token: string }) {
  const rows = await expectOk<{ kind: string; title: string }[]>(env.api, who, 'GET', '/notifications')
  return rows.filter(({ kind }) => kind === 'mail_given_up').map(({ title }) => title)
}
const lastToday = 'You get no more such notifications today'

describe('260 requests of strangers', () => {
  test('use none of the mails that the school sends itself', async () => {
    const { api, school, workers } = env
    const offering = await offer(api, school)
    const statuses: number[] = []
    for (let at = 0; at < 260; at++) {
      const headers = { 'x-forwarded-for': `203.0.113.${at % 250}` }
      const body = { name: 'Gia', email: `guest${at}@example.com`, phone: '1', start: tomorrowAtTen() }
      const { statusCode } = await api.call('POST', `/public/offerings/${offering.id}/requests`, { body, headers })
      statuses.push(statusCode)
    }
    expect(statuses.filter((status) => status === 202)).toHaveLength(30)
    expect(new Set(statuses.slice(30))).toEqual(new Set([429]))
    await invite('ivy@example.com')
    await billGuest('gus@example.com')
    await workers.settled()
    expect(workers.mails('ivy@example.com').map(({ subject }) => subject)).toEqual([
      'You are invited to Bay Flight Academy',
    ])
    expect(workers.mails('gus@example.com')).toHaveLength(1)
  })
})

test('confirmed requests of strangers use none of the mails to the desk about other requests', async () => {
  const { api, school, workers } = env
  const { pool } = api.core.database
  const offering = await offer(api, school)
  const confirmed = async (address: string) => {
    const headers = { 'x-forwarded-for': '198.51.100.7' }
    const body = { name: 'Gia', email: address, phone: '1', start: tomorrowAtTen() }
    const made = await api.call('POST', `/public/offerings/${offering.id}/requests`, { body, headers })
    expect(made.statusCode, made.body).toBe(202)
    await workers.settled()
    const [, token] = /confirm-request#token=([\w-]+)/.exec(workers.mails(address)[0]?.text ?? '') ?? []
    const done = await api.call('POST', '/public/requests/confirm', { body: { token }, headers })
    expect(done.statusCode, done.body).toBe(200)
    await workers.settled()
  }
  const toDesk = () => workers.mails(school.dispatcher.email).filter(({ subject }) => /^Booking request:/.test(subject))
  const before = toDesk().length
  await confirmed('gia.first@example.com')
  expect(toDesk()).toHaveLength(before + 1)
  const { rows } = await pool.query(
    "select scope, key, mails from mail_count where scope in ('all_mail', 'all_mail_owner')",
  )
  expect(rows).toEqual([])
  // 15 of 20 a day to one address, as for other usual mails; the mails about members' requests are counted by themselves.
  await pool.query("update mail_count set mails = 15 where scope = 'receiver'")
  const told = (await noticesTo(school.admin)).length
  await confirmed('gia.second@example.com')
  expect(await noticesTo(school.admin)).toHaveLength(told + 1)
  // The mail that notified the admins arrived; the admins' mails that were given up are still given up.
  await confirmed('gia.third@example.com')
  expect(await noticesTo(school.admin)).toHaveLength(told + 1)
  expect(toDesk()).toHaveLength(before + 1)
  await writeSettings(api, school.organizationId, { approvalRequired: { student: true, renter: true } })
  await asking(api, school, { start: tomorrowAtTen(), end: tomorrowAtTen().replace('T18', 'T19') })
  await workers.settled()
  expect(toDesk()).toHaveLength(before + 2)
  // Nor do they use up the day's notice about other mails that were given up.
  await used('organization', school.organizationId, 200)
  await invite('ingo@example.com')
  await workers.settled()
  expect((await noticesTo(school.admin))[0]).toBe('A mail was not sent: the invitation to ingo@example.com')
})

function tomorrowAtTen(): string {
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  return `${day}T18:00:00Z`
}

describe('the mails of a day', () => {
  test('keep a part for invitations and first invoices', async () => {
    const { api, school, workers } = env
    await used('organization', school.organizationId, 150)
    await invite('ida@example.com')
    const { id } = await billGuest('gil@example.com')
    await workers.settled()
    expect(workers.mails('ida@example.com')).toHaveLength(1)
    expect(workers.mails('gil@example.com')).toHaveLength(1)
    await expectOk(api, school.admin, 'POST', `/invoices/${id}/remind`)
    await workers.settled()
    expect(workers.mails('gil@example.com')).toHaveLength(1)
    const invoice = await expectOk(api, school.admin, 'GET', `/invoices/${id}`)
    expect(invoice).toMatchObject({ undeliveredMail: { reason: 'organization_limit' } })
  })

  test('keep a part for invitations and first invoices that cancellations do not use up', async () => {
    const { api, school, workers } = env
    const id = await bookGuest(school, 11, 'gwen.one@example.com')
    const another = await bookGuest(school, 12, 'gwen.two@example.com')
    await workers.settled()
    expect(workers.mails('gwen.one@example.com')).toHaveLength(1)
    await api.core.database.pool.query('delete from mail_count')
    await used('organization', school.organizationId, 175)
    await cancel(id)
    await invite('ilse@example.com')
    await billGuest('gwen.one@example.com')
    await workers.settled()
    expect(workers.mails('ilse@example.com')).toHaveLength(1)
    expect(workers.mails('gwen.one@example.com').map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^New booking/),
      expect.stringMatching(/invoice/i),
    ])

    await api.core.database.pool.query('delete from mail_count')
    await used('all_mail', school.organizationId, 1_750)
    await cancel(another)
    await invite('ines@example.com')
    await workers.settled()
    expect(workers.mails('gwen.two@example.com')).toHaveLength(1)
    expect(workers.mails('ines@example.com')).toHaveLength(1)
  })

  test('keep one to a mailbox that cancellations do not use up', async () => {
    const { school, workers } = env
    const id = await bookGuest(school, 13, 'gwen.three@example.com')
    await workers.settled()
    await used('owed_address', hashOfAddress('gwen.three@example.com'), 2)
    await cancel(id)
    await billGuest('gwen.three@example.com')
    await workers.settled()
    expect(workers.mails('gwen.three@example.com').map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^New booking/),
      expect.stringMatching(/invoice/i),
    ])
  })

  test('are caused by students and renters up to a part, by each of them and by all', async () => {
    const { api, school, workers } = env
    const { instructor, student, owner, organizationId } = school
    await writeSettings(api, organizationId, { approvalRequired: { student: false, renter: false } })
    const toInstructor = async () => {
      await workers.settled()
      return workers.mails(instructor.email).filter(({ subject }) => /^New booking/.test(subject)).length
    }
    const at = (day: number) => ({ start: `2027-02-${day}T10:00:00Z`, end: `2027-02-${day}T12:00:00Z` })
    const book = (day: number) => expectOk(api, student, 'POST', '/reservations', dualBody(school, at(day)))
    const before = await toInstructor()
    await book(10)
    expect(await toInstructor()).toBe(before + 1)
    const { rows } = await api.core.database.pool.query(
      "select scope, key, mails from mail_count where scope like 'by_member%' order by scope",
    )
    expect(rows).toEqual([
      { scope: 'by_member', key: String(student.orgUserId), mails: 1 },
      { scope: 'by_members', key: String(organizationId), mails: 1 },
      { scope: 'by_members_owner', key: String(owner.accountId), mails: 1 },
    ])
    for (const [scope, key, most, day] of [
      ['by_member', student.orgUserId, 200, 11],
      ['by_members', organizationId, 1_000, 12],
      ['by_members_owner', owner.accountId, 1_000, 14],
    ] as const) {
      await api.core.database.pool.query('delete from mail_count')
      await used(scope, key, most)
      await book(day)
      expect(await toInstructor()).toBe(before + 1)
    }
    await api.core.database.pool.query('delete from mail_count')
    await used('by_members', organizationId, 1_000)
    await bookDual(api, school, at(13))
    expect(await toInstructor()).toBe(before + 2)
  })

  test('are none to unconfirmed addresses while no owner has verified an address', async () => {
    const { api, workers } = env
    const { pool } = api.core.database
    const school = await buildSchool(api)
    await pool.query('update organization set show_in_directory = true where id = $1', [school.organizationId])
    const verified = (at: Date | null) =>
      pool.query('update account set email_verified_at = $2 where id = $1', [school.owner.accountId, at])
    const offering = await offer(api, school)
    const ask = (email: string) => {
      const body = { name: 'Gia', email, phone: '1', start: tomorrowAtTen() }
      return api.call('POST', `/public/offerings/${offering.id}/requests`, { body })
    }
    await verified(null)
    await bookGuest(school, 14, 'stranger.booked@example.com')
    expect((await ask('stranger.asked@example.com')).statusCode).toBe(202)
    await workers.settled()
    expect(workers.mails('stranger.booked@example.com')).toEqual([])
    expect(workers.mails('stranger.asked@example.com')).toEqual([])
    const guests = await expectOk(api, school.admin, 'GET', '/guests')
    expect(guests).toMatchObject([{ undeliveredMail: { reason: 'organization_limit' } }])
    await verified(new Date())
    await bookGuest(school, 15, 'stranger.booked@example.com')
    await ask('stranger.asked@example.com')
    await workers.settled()
    expect(workers.mails('stranger.booked@example.com')).toHaveLength(1)
    expect(workers.mails('stranger.asked@example.com')).toHaveLength(1)
  })

  test('that are owed are notified when they are given up, whatever other mail was given up on the day', async () => {
    const { api, school, workers } = env
    await used('all_mail', school.organizationId, 1_500)
    await bookDual(api, school, { start: '2027-02-15T10:00:00Z', end: '2027-02-15T12:00:00Z' })
    await workers.settled()
    const told = (await noticesTo(school.admin)).length
    await api.core.database.pool.query("update mail_count set mails = 2000 where scope = 'all_mail'")
    await invite('imre@example.com')
    await workers.settled()
    const notices = await noticesTo(school.admin)
    expect(notices).toHaveLength(told + 1)
    expect(notices[0]).toBe('A mail was not sent: the invitation to imre@example.com')
  })

  test('keep a part for invitations that invoices which students cause do not use up, nor the notices about them', async () => {
    const { api, school, workers } = env
    const { admin, student, organizationId } = school
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/packages', {
      name: 'Ten hours',
      priceCents: 160_000,
      grant: { deciHours: 100 },
      lineKinds: ['aircraft'],
    })
    const buy = () => expectOk(api, student, 'POST', `/packages/${id}/purchases`, { orgUserId: student.orgUserId })
    await buy()
    await workers.settled()
    const received = workers.mails(student.email).length
    const { rows } = await api.core.database.pool.query(
      "select scope, key, mails from mail_count where scope = 'by_member'",
    )
    expect(rows).toEqual([{ scope: 'by_member', key: String(student.orgUserId), mails: 1 }])
    await api.core.database.pool.query('delete from mail_count')
    await used('all_mail', organizationId, 1_750)
    await buy()
    await workers.settled()
    expect(workers.mails(student.email)).toHaveLength(received)
    await used('organization', organizationId, 200)
    await invite('isolde@example.com')
    await workers.settled()
    expect((await noticesTo(admin))[0]).toBe('A mail was not sent: the invitation to isolde@example.com')
  })

  test('that are given up are notified again after one of them was delivered at last', async () => {
    const { api, school, workers } = env
    const { pool } = api.core.database
    await used('all_mail', school.organizationId, 1_500)
    const booked = () => bookDual(api, school, { start: '2027-02-16T10:00:00Z', end: '2027-02-16T12:00:00Z' })
    const id = await booked()
    await workers.settled()
    const told = (await noticesTo(school.admin)).length
    // The mail about the cancellation is delivered, so the notification about the booking would say nothing.
    await cancel(id)
    await workers.settled()
    await pool.query("delete from notification where kind = 'mail_given_up'")
    await booked()
    await workers.settled()
    expect(await noticesTo(school.admin)).toHaveLength(1)
    expect(told).toBeGreaterThan(0)
  })

  test('show the decision on a join request on the member when it is given up', async () => {
    const { api, school, workers } = env
    const { pool } = api.core.database
    const joiner = await buildAccount(api)
    const { rows } = await pool.query<{ code: string }>(
      'update organization set private = true where id = $1 returning code',
      [school.organizationId],
    )
    const { id } = await expectOk<{ id: number }>(api, joiner, 'POST', `/organizations/join/${rows[0]?.code}`)
    await used('all_mail', school.organizationId, 1_500)
    await expectOk(api, school.admin, 'POST', `/organizations/joinRequests/${id}/approve`, {})
    await workers.settled()
    expect(workers.mails(joiner.email)).toEqual([])
    const given = await pool.query(
      'select u.reason from undelivered_mail u join membership m on m.id = u.membership_id where m.account_id = $1',
      [joiner.accountId],
    )
    expect(given.rows).toEqual([{ reason: 'organization_limit' }])
  })

  test('once used up are said on the record, and admins are told once a day', async () => {
    const { api, school, workers } = env
    const told = (await noticesTo(school.admin)).length
    await used('organization', school.organizationId, 200)
    await invite('ira@example.com')
    const { id } = await billGuest('gao@example.com')
    await workers.settled()
    expect([...workers.mails('ira@example.com'), ...workers.mails('gao@example.com')]).toEqual([])
    const [invitation] = await expectOk<object[]>(api, school.admin, 'GET', '/organizations/invitations')
    expect(invitation).toMatchObject({ email: 'ira@example.com', undeliveredMail: { reason: 'organization_limit' } })
    const invoice = await expectOk(api, school.admin, 'GET', `/invoices/${id}`)
    expect(invoice).toMatchObject({ undeliveredMail: { reason: 'organization_limit' } })
    expect((await noticesTo(school.admin)).slice(0, -told || undefined)).toEqual([
      expect.stringMatching(/^A mail was not sent: (the invitation to ira@example\.com|invoice \d+)$/),
    ])
    expect(await noticesTo(school.student)).toEqual([])

    await api.core.database.pool.query('delete from mail_count')
    await expectOk(api, school.admin, 'POST', `/invoices/${id}/remind`)
    await workers.settled()
    expect(workers.mails('gao@example.com')).toHaveLength(1)
    expect(await expectOk(api, school.admin, 'GET', `/invoices/${id}`)).toMatchObject({ undeliveredMail: null })
  })

  test('are 2,000 to everybody, a part of them for what must be read; none holds up what is of security', async () => {
    const { api, school, workers } = env
    const { admin, owner, student } = school
    const subjects = async ({ email }: { email: string }, from: number) => {
      await workers.settled()
      return workers
        .mails(email)
        .slice(from)
        .map(({ subject }) => subject)
    }
    const [seen, seenByOwner] = [(await subjects(student, 0)).length, workers.mails(owner.email).length]
    const givenUp = async () =>
      (
        await api.core.database.pool.query('select reason from undelivered_mail where membership_id = $1', [
          student.orgUserId,
        ])
      ).rows
    const told = (await noticesTo(admin)).length
    await used('all_mail', school.organizationId, 1_500)
    const id = await bookDual(api, school, { start: '2026-12-21T10:00:00Z', end: '2026-12-21T12:00:00Z' })
    expect(await subjects(student, seen)).toEqual([])
    expect(await givenUp()).toEqual([{ reason: 'organization_limit' }])
    expect((await noticesTo(admin)).slice(0, -told || undefined)).toEqual([
      expect.stringMatching(/^A mail was not sent: a mail to \w+/),
    ])
    await cancel(id)
    expect(await subjects(student, seen)).toEqual([expect.stringContaining('ancelled')])
    expect(await givenUp()).toEqual([])

    await api.core.database.pool.query("update mail_count set mails = 2000 where scope = 'all_mail'")
    await expectOk(api, admin, 'PATCH', `/orgUsers/${admin.orgUserId}`, { taxExempt: true })
    expect(await subjects(owner, seenByOwner)).toContainEqual(expect.stringContaining('in somebody’s own favour'))
  })

  test('are 20 to one address about one kind of subject', async () => {
    const { api, school, workers } = env
    const { pool } = api.core.database
    const at = (day: number) => ({ start: `2026-12-${day}T10:00:00Z`, end: `2026-12-${day}T12:00:00Z` })
    const mails = async () => {
      await workers.settled()
      return workers.mails(school.student.email).length
    }
    const before = await mails()
    const id = await bookDual(api, school, at(22))
    expect(await mails()).toBe(before + 1)
    await pool.query("update mail_count set mails = 15 where scope = 'receiver'")
    await bookDual(api, school, at(23))
    expect(await mails()).toBe(before + 1)
    await cancel(id)
    expect(await mails()).toBe(before + 2)
  })

  test('to one address that others cause leave those that the school owes', async () => {
    const { api, school, workers } = env
    const { admin } = school
    const student = await buildMember(api, school.organizationId, ['student'])
    const { pool } = api.core.database
    const terms = { name: 'Twenty hours', priceCents: 320_000, grant: { deciHours: 200 }, lineKinds: ['aircraft'] }
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/packages', terms)
    const buy = () => expectOk(api, student, 'POST', `/packages/${id}/purchases`, { orgUserId: student.orgUserId })
    const mails = async () => {
      await workers.settled()
      return workers.mails(student.email).length
    }
    await buy()
    const before = await mails()
    await pool.query("update mail_count set mails = 20 where scope = 'receiver'")
    await buy()
    expect(await mails()).toBe(before)
    await expectOk(api, admin, 'POST', '/invoices', { customer: { orgUserId: student.orgUserId }, items })
    expect(await mails()).toBe(before + 1)
  })

  test('about invoices that signatures raise count for the member who flew', async () => {
    const { api, school, workers } = env
    await writeSettings(api, school.organizationId, { autoInvoice: 'signed_off' })
    await setRates(api, school)
    await closedOutFlight(api, school, { start: '2026-11-20T10:00:00Z', end: '2026-11-20T12:00:00Z' })
    await workers.settled()
    await writeSettings(api, school.organizationId, { autoInvoice: 'off' })
    const { rows } = await api.core.database.pool.query(
      "select key from mail_count where scope = 'receiver' and key like 'caused % invoice_raised %'",
    )
    expect(rows).toHaveLength(1)
  })

  test('that are given up stay on the member until a mail about the same matter is delivered', async () => {
    const { api, school, workers } = env
    const { student, organizationId } = school
    const at = (day: number) => ({ start: `2027-03-0${day}T10:00:00Z`, end: `2027-03-0${day}T12:00:00Z` })
    const onStudent = async () => {
      await workers.settled()
      const { rows } = await api.core.database.pool.query<{ matters: string[] }>(
        'select matters from undelivered_mail where membership_id = $1',
        [student.orgUserId],
      )
      // Two mails at once are given up in either order.
      return rows.flatMap(({ matters }) => matters).sort()
    }
    const [first, second] = [await bookDual(api, school, at(1)), await bookDual(api, school, at(2))]
    await workers.settled()
    await used('receiver', `caused ${organizationId} reservation_cancelled ${hashOfAddress(student.email)}`, 20)
    await cancel(first)
    await cancel(second)
    expect(await onStudent()).toEqual([`reservation ${first}`, `reservation ${second}`])
    const before = workers.mails(student.email).length
    await bookDual(api, school, at(3))
    expect(await onStudent()).toEqual([`reservation ${first}`, `reservation ${second}`])
    expect(workers.mails(student.email)).toHaveLength(before + 1)
    await expectOk(api, school.dispatcher, 'POST', `/reservations/${first}/restore`)
    expect(await onStudent()).toEqual([`reservation ${second}`])
  })

  test('that newcomers cause are a part of those to one address', async () => {
    const { api, school, workers } = env
    const { instructor, student, organizationId } = school
    await writeSettings(api, organizationId, { approvalRequired: { student: false, renter: false } })
    const invited = await buildMember(api, organizationId, ['student'])
    await api.core.database.pool.query(
      `insert into invitation (organization_id, membership_id, email, seed, token_hash, invited_by, expires_at, accepted_at)
       values ($1, $2, $3, 'seed', 'hash of the invited', $4, now(), now())`,
      [organizationId, invited.orgUserId, invited.email, school.admin.orgUserId],
    )
    const toInstructor = async () => {
      await workers.settled()
      return workers.mails(instructor.email).filter(({ subject }) => /ancelled/.test(subject)).length
    }
    const bookAndCancel = async (who: typeof student, day: number) => {
      const times = { start: `2027-04-${day}T10:00:00Z`, end: `2027-04-${day}T12:00:00Z` }
      const body = dualBody({ ...school, student: who }, times)
      const { id } = await expectOk<{ id: number }>(api, who, 'POST', '/reservations', body)
      await cancel(id, who)
      await workers.settled()
    }
    const before = await toInstructor()
    await used('receiver', `caused ${organizationId} reservation_cancelled ${hashOfAddress(instructor.email)}`, 14)
    for (let day = 10; day < 16; day++) await bookAndCancel(student, day)
    expect(await toInstructor()).toBe(before + 5)
    await bookAndCancel(invited, 16)
    expect(await toInstructor()).toBe(before + 6)
  })

  test('about invoices are one a day to a payer when members used up theirs, and have notices of their own', async () => {
    const { api, school, workers } = env
    const { admin, organizationId } = school
    const student = await buildMember(api, organizationId, ['student'])
    const terms = { name: 'Thirty hours', priceCents: 480_000, grant: { deciHours: 300 }, lineKinds: ['aircraft'] }
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/packages', terms)
    const buy = async () => {
      await expectOk(api, student, 'POST', `/packages/${id}/purchases`, { orgUserId: student.orgUserId })
      await workers.settled()
      return workers.mails(student.email).length
    }
    await used('by_members', organizationId, 1_250)
    await used('given_up', `${organizationId} caused organization_limit`, 1)
    const told = (await noticesTo(admin)).length
    expect(await buy()).toBe(1)
    expect(await noticesTo(admin)).toHaveLength(told)
    expect(await buy()).toBe(1)
    expect(await noticesTo(admin)).toHaveLength(told + 1)
    expect((await noticesTo(admin))[0]).toMatch(/^A mail was not sent: invoice \d+$/)
    expect(await buy()).toBe(1)
    expect(await noticesTo(admin)).toHaveLength(told + 1)
  })

  test('that are given up: the last notice of the day says so', async () => {
    const { api, school, workers } = env
    const given = async (email: string) => {
      await used('owed_address', hashOfAddress(email), 3)
      await invite(email)
      await workers.settled()
      const notices = await expectOk<{ title: string; body: string }[]>(api, school.admin, 'GET', '/notifications')
      return notices.find(({ title }) => title.includes(email))?.body
    }
    await used('given_up', `${school.organizationId} owed address_limit`, 8)
    expect(await given('ilka.nine@example.com')).not.toContain(lastToday)
    expect(await given('ilka.ten@example.com')).toContain(lastToday)
    expect(await given('ilka.eleven@example.com')).toBe(undefined)
  })

  test.each([
    ['to addresses that confirmed nothing', 'owner', 200],
    ['to everybody', 'all_mail_owner', 2_000],
  ])('%s are an owner’s over all organizations of the owner', async (_, scope, most) => {
    const { school, workers } = env
    await used(scope, school.owner.accountId, most)
    await invite(`isa.${scope}@example.com`)
    await workers.settled()
    expect(workers.mails(`isa.${scope}@example.com`)).toEqual([])
  })
})
