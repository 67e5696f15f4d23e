import { describe, expect } from 'vitest'
import { buildAccount, buildMember, buildSchool } from '../../../support/builders.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'

const test = sharedSchoolTest()
  .extend('found', ({ api }) => async (body: object = skyway) => {
    const founder = await buildAccount(api)
    const response = await api.as(founder).post('/organizations', body)
    expect(response.statusCode).toBe(201)
    return { founder, ...response.json().data }
  })
  .extend(
    'read',
    ({ api }) =>
      (id: number, token: string) =>
        api.call('GET', `/organizations/${id}`, { token }),
  )
  .extend(
    'change',
    ({ api, school }) =>
      (body: object, token = school.admin.token) =>
        api.call('PATCH', '/organizations', { token, body }),
  )

const skyway = {
  name: 'Skyway Flying Club',
  organizationType: 'flying_club',
  about: 'Two Cessnas and a kettle',
  showInDirectory: true,
  details: {
    email: 'Desk@Skyway.example',
    phone: '+1 555 0100',
    address: { line1: '1 Hangar Rd', city: 'Reno', postalCode: '89506' },
  },
  location: {
    name: 'Reno Stead',
    address: { line1: '4895 Texas Ave', city: 'Reno', postalCode: '89506', country: 'us' },
    timeZoneName: 'America/Los_Angeles',
    airportIdentifier: 'krts',
  },
}

describe('founding an organization (§Organizations, POST)', () => {
  test('makes the caller its owner and admin, creates its first location and signs the caller in to it', async ({
    api,
    found,
  }) => {
    const { user, organization, token } = await found()
    expect(user).toMatchObject({ owner: true, admin: true, student: false })
    expect(user.orgUserId).toEqual(expect.any(Number))
    expect(organization).toMatchObject({
      name: 'Skyway Flying Club',
      organizationType: 'flying_club',
      about: 'Two Cessnas and a kettle',
      showInDirectory: true,
      private: false,
      demo: false,
      timeZoneName: 'America/Los_Angeles',
      details: {
        email: 'desk@skyway.example',
        phone: '+1 555 0100',
        address: { line1: '1 Hangar Rd', city: 'Reno', postalCode: '89506' },
      },
      locations: [
        {
          name: 'Reno Stead',
          airportIdentifier: 'KRTS',
          timeZoneName: 'America/Los_Angeles',
          address: { country: 'US' },
        },
      ],
    })
    expect(organization.code).toMatch(/^[A-Z2-9]{6}$/)
    expect(organization.settings).toMatchObject({
      currency: 'usd',
      cancellationNoticeHours: 0,
      overridesNeedPaper: true,
    })
    expect((await api.call('GET', '/users', { token })).json().data).toHaveLength(1)
  })

  test('needs no verified address and uses the defaults for what is left out', async ({ api }) => {
    const account = await buildAccount(api, { verified: false })
    const { name, details } = skyway
    const body = { name, details, location: { name: 'Home', address: {} } }
    const response = await api.as(account).post('/organizations', body)
    expect(response.statusCode).toBe(201)
    expect(response.json().data.organization).toMatchObject({
      organizationType: 'flight_school',
      about: null,
      showInDirectory: false,
      timeZoneName: 'UTC',
    })
  })

  test.for([
    ['name', { name: undefined }],
    ['name', { name: '   ' }],
    ['organizationType', { organizationType: 'airline' }],
    ['details', { details: undefined }],
    ['details.phone', { details: { email: 'a@b.example', address: {} } }],
    ['details.email', { details: { ...skyway.details, email: 'nobody' } }],
    ['details.address.country', { details: { ...skyway.details, address: { country: 'USA' } } }],
    ['location', { location: undefined }],
    ['location.timeZoneName', { location: { ...skyway.location, timeZoneName: 'Mars/Olympus' } }],
  ] as const)('refuses a body with a bad %s by field name', async ([field, change], { api }) => {
    const { token } = await buildAccount(api)
    const response = await api.call('POST', '/organizations', { token, body: { ...skyway, ...change } })
    expect(response.statusCode).toBe(400)
    expect(response.json().message.startsWith(`${field}: `)).toBe(true)
  })
})

describe('reading organizations (§Organizations, GET)', () => {
  test('shows the public detail of a listed one to any account, without code, settings and address lines', async ({
    api,
    found,
    read,
  }) => {
    const { organization } = await found()
    const { token } = await buildAccount(api, { verified: false })
    const { data } = (await read(organization.id, token)).json()
    expect(data).toMatchObject({ id: organization.id, name: 'Skyway Flying Club' })
    expect(data.details.address).toEqual({ city: 'Reno' })
    expect(data.locations[0].address).toEqual({ city: 'Reno', country: 'US' })
    expect(data).not.toHaveProperty('code')
    expect(data).not.toHaveProperty('settings')
  })

  test('answers 404 for one that is neither listed nor the caller’s own, as for one that does not exist', async ({
    api,
    school,
    read,
  }) => {
    const { token } = await buildAccount(api)
    const hidden = await read(school.organizationId, token)
    const missing = await read(99_999_999, token)
    const tooLarge = await api.call('GET', '/organizations/99999999999999999999', { token })
    expect([hidden.statusCode, missing.statusCode, tooLarge.statusCode]).toEqual([404, 404, 404])
    expect(hidden.json()).toEqual(missing.json())
    expect((await api.call('GET', '/organizations/-1', { token })).statusCode).toBe(400)
  })

  test('answers the join code and the settings to admins of the active one only', async ({ school, read }) => {
    const asStudent = (await read(school.organizationId, school.student.token)).json().data
    expect(asStudent).not.toHaveProperty('code')
    expect((await read(school.organizationId, school.admin.token)).json().data.code).toMatch(/^[A-Z2-9]{6}$/)
  })

  test('answers a member what it answers everybody; address lines stand in GET /locations and for admins', async ({
    api,
    found,
    read,
  }) => {
    const { organization, token } = await found()
    const member = await buildMember(api, organization.id, ['student'])
    const stranger = await buildAccount(api)
    const shown = (await read(organization.id, member.token)).json()
    expect(shown).toEqual((await read(organization.id, stranger.token)).json())
    expect(JSON.stringify(shown)).not.toMatch(/line1|line2|postalCode|"code"|settings/)
    const { code, settings, ...rest } = (await read(organization.id, token)).json().data
    expect(rest, 'to the owner too').toEqual(shown.data)
    expect([code, settings]).toEqual([expect.any(String), expect.any(Object)])
    const [location] = (await api.as(member).get('/locations')).json().data
    expect(location.address).toMatchObject({ line1: '4895 Texas Ave', postalCode: '89506' })
    const { data } = (await api.call('GET', '/organizations', { token })).json()
    expect(data[0]).toMatchObject({
      details: { address: { line1: '1 Hangar Rd' } },
      locations: [{ address: { line1: '4895 Texas Ave' } }],
      settings: expect.any(Object),
    })
  })

  test('lists the caller’s own ones by name, and only the active one with its inner side', async ({ api, found }) => {
    const { founder, organization } = await found()
    const { token } = (await api.as(founder).post('/organizations', { ...skyway, name: 'Alpha' })).json().data
    const { data } = (await api.call('GET', '/organizations', { token })).json()
    expect(data.map((row: { name: string }) => row.name)).toEqual(['Alpha', 'Skyway Flying Club'])
    expect(data[0]).toHaveProperty('code')
    expect(data[1].id).toBe(organization.id)
    expect(data[1]).not.toHaveProperty('code')
    const nobody = await buildAccount(api)
    expect((await api.call('GET', '/organizations', { token: nobody.token })).json()).toEqual({ data: [] })
  })

  test('finds listed organizations by name, town and airport, and takes wildcards literally', async ({
    api,
    school,
    found,
  }) => {
    const name = 'Zephyr 100% Gliding'
    await found({ ...skyway, name })
    await found({ ...skyway, name: 'Zephyr hidden', showInDirectory: false })
    const search = async (q: string) =>
      (await api.as(school.student).get(`/organizations/directory?q=${encodeURIComponent(q)}`))
        .json()
        .data.map((row: { name: string }) => row.name)
    expect(await search('zephyr')).toEqual([name])
    expect(await search('100%')).toEqual([name])
    expect(await search('reno')).toContain(name)
    expect(await search('KRTS')).toContain(name)
    expect(await search("'; drop table organization; --")).toEqual([])
  })
})

describe('changing the organization (§Organizations, PATCH)', () => {
  test('changes what is given and leaves the rest', async ({ change }) => {
    const response = await change({
      about: 'Open daily',
      showInDirectory: true,
      details: { address: { city: 'Hayward' } },
    })
    expect(response.statusCode).toBe(200)
    expect(response.json().data).toMatchObject({
      name: 'Bay Flight Academy',
      about: 'Open daily',
      showInDirectory: true,
      details: { email: 'desk@bayflight.example', address: { city: 'Hayward' } },
    })
    expect((await change({ about: null, details: { phone: '+1 1' } })).json().data).toMatchObject({
      about: null,
      details: { phone: '+1 1', address: { city: 'Hayward' } },
    })
  })

  test('merges settings key by key, also nested keys', async ({ change }) => {
    await change({ settings: { cancellationNoticeHours: 12, approvalRequired: { student: true } } })
    const { settings } = (await change({ settings: { approvalRequired: { renter: true }, invoiceDueDays: 7 } })).json()
      .data
    expect(settings).toMatchObject({
      cancellationNoticeHours: 12,
      approvalRequired: { student: true, renter: true },
      invoiceDueDays: 7,
      aircraftRateKind: 'wet',
    })
    expect((await change({ settings: { invoiceDueDays: null } })).json().data.settings.invoiceDueDays).toBeNull()
  })

  test('keeps two changes of settings that come at once', async ({ change }) => {
    await Promise.all([
      change({ settings: { upcomingReminderHours: 5 } }),
      change({ settings: { reminderIntervalHours: 6 } }),
    ])
    expect((await change({})).json().data.settings).toMatchObject({
      upcomingReminderHours: 5,
      reminderIntervalHours: 6,
    })
  })

  test('changes the currency until somebody was billed', async ({ api, change }) => {
    const fresh = await buildSchool(api)
    const currency = async (code: string) => {
      const { statusCode, body } = await change({ settings: { currency: code } }, fresh.admin.token)
      return [statusCode, JSON.parse(body).code]
    }
    expect(await currency('eur')).toEqual([200, undefined])
    const deposit = { kind: 'deposit', amountCents: 5_000 }
    await expectOk(api, fresh.admin, 'POST', `/orgUsers/${fresh.student.orgUserId}/ledger`, deposit)
    expect(await currency('usd')).toEqual([409, 'CURRENCY_IN_USE'])
    expect(await currency('eur')).toEqual([200, undefined])
  })

  test('does not change the currency once a payer is a customer at the processor', async ({ api, change }) => {
    const fresh = await buildSchool(api)
    await api.core.database.pool.query(
      "insert into gateway_customer (organization_id, membership_id, customer_id) values ($1, $2, 'cus_1')",
      [fresh.organizationId, fresh.student.orgUserId],
    )
    const refused = await change({ settings: { currency: 'eur' } }, fresh.admin.token)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'CURRENCY_IN_USE'])
  })

  test('with another currency and a bill at once ends in one currency: the bill that comes second is refused', async ({
    api,
  }) => {
    const fresh = await buildSchool(api)
    const changing = await api.core.database.pool.connect()
    await changing.query('begin')
    const settings = `settings || '{"currency": "eur"}'`
    await changing.query(`select id from organization where id = $1 for update`, [fresh.organizationId])
    await changing.query(`update organization set settings = ${settings} where id = $1`, [fresh.organizationId])
    const body = {
      customer: { orgUserId: fresh.student.orgUserId },
      items: [{ description: 'Books', unitPrice: 4500 }],
    }
    const billing = api.as(fresh.admin).post('/invoices', body)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await changing.query('commit')
    changing.release()
    expect((await billing).statusCode).toBe(409)
    const { rows } = await api.core.database.pool.query('select id from invoice where organization_id = $1', [
      fresh.organizationId,
    ])
    expect(rows).toEqual([])
  })

  test.for(['jpy', 'kwd', 'clp', 'zzz'])('refuses a currency without cents: %s', async (currency, { api, change }) => {
    const fresh = await buildSchool(api)
    const refused = await change({ settings: { currency } }, fresh.admin.token)
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'settings.currency: must be an ISO 4217 currency with two decimals',
    ])
  })

  test('ignores the fields that the service maintains itself', async ({ change }) => {
    const before = (await change({})).json().data
    const body = {
      id: 1,
      code: 'AAAAAA',
      demo: true,
      lastInvoiceNumber: 5,
      settings: { stripeAccountId: 'acct_evil', stripeAccountReady: true, color: 1 },
    }
    const after = (await change(body)).json().data
    expect({ ...after, updatedAt: null }).toEqual({ ...before, updatedAt: null })
  })

  test.for([
    ['settings.currency', { settings: { currency: 'dollars' } }],
    ['settings.cancellationNoticeHours', { settings: { cancellationNoticeHours: -1 } }],
    ['settings.chargeRules.aircraft', { settings: { chargeRules: { aircraft: 'nobody' } } }],
    ['settings.flyingDayEndMinute', { settings: { flyingDayStartMinute: 600, flyingDayEndMinute: 600 } }],
    ['name', { name: null }],
    ['name', { name: 'x'.repeat(10_000) }],
    ['about', { about: 'nul \u0000 byte' }],
    ['details.address.city', { details: { address: { city: 'half \ud800 character' } } }],
  ] as const)('refuses a bad %s', async ([field, body], { change }) => {
    const response = await change(body)
    expect(response.statusCode).toBe(400)
    expect(response.json().message.startsWith(`${field}: `)).toBe(true)
  })
})

describe('switching organizations (§Authentication rule 2)', () => {
  test('answers a token for the other one, and both tokens stay valid, each for its own', async ({ api, school }) => {
    const other = await buildSchool(api)
    const { db } = api.core.database
    await db
      .insertInto('membership')
      .values({ organization_id: other.organizationId, account_id: school.student.accountId, instructor: true })
      .execute()
    const response = await api.as(school.student).post(`/organizations/switch/${other.organizationId}`)
    expect(response.statusCode).toBe(200)
    const { user, organization, token } = response.json().data
    expect(organization.id).toBe(other.organizationId)
    expect(user).toMatchObject({ instructor: true, student: false })
    const active = async (bearer: string) => (await api.call('GET', '/auth', { token: bearer })).json().data
    expect((await active(token)).organization.id).toBe(other.organizationId)
    expect(await active(school.student.token)).toMatchObject({
      organization: { id: school.organizationId },
      user: { student: true, instructor: false },
    })
  })

  test('makes the next sign-in use the organization that was active last', async ({ api }) => {
    const password = 'a long way to Tipperary'
    const email = 'switcher@example.com'
    const { token } = (await api.call('POST', '/users', { body: { name: 'Sam', email, password } })).json().data
    const first = (await api.call('POST', '/organizations', { token, body: skyway })).json().data
    const second = (await api.call('POST', '/organizations', { token, body: skyway })).json().data
    const signIn = async () =>
      (await api.call('POST', '/auth', { body: { email, password } })).json().data.organization.id
    expect(await signIn()).toBe(second.organization.id)
    await api.as(second).post(`/organizations/switch/${first.organization.id}`)
    expect(await signIn()).toBe(first.organization.id)
  })
})

describe('a token of a membership that ended', () => {
  test('is refused everywhere, because roles are read on every request', async ({ api, school }) => {
    const member = await buildMember(api, school.organizationId, ['admin'])
    const patch = () => api.as(member).patch('/organizations', {})
    expect((await patch()).statusCode).toBe(200)
    const { db } = api.core.database
    await db.updateTable('membership').set({ admin: false }).where('id', '=', member.orgUserId).execute()
    expect((await patch()).statusCode).toBe(403)
    await db.updateTable('membership').set({ removed_at: new Date() }).where('id', '=', member.orgUserId).execute()
    expect((await patch()).statusCode).toBe(401)
    expect((await api.call('GET', '/auth/session', { token: member.token })).statusCode).toBe(401)
  })
})
