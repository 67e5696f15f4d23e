import ICAL from 'ical.js'
import { describe, expect } from 'vitest'
import { calendarView } from '../../../../src/api/scheduling/calendar/calendar.view.ts'
import { isZone } from '../../../../src/shared/platform/kernel/zones.ts'
import { invitationTo } from '../../../../src/shared/scheduling/calendar/invitation.ts'
import type { ReservationRow } from '../../../../src/shared/scheduling/reservations/reservation.queries.ts'
import { startTestApp } from '../../../support/app.ts'
import { buildSchool, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { limited } from '../../../support/limited.ts'
import { mailedToken } from '../../../support/mailed-tokens.ts'

const test = schoolTest({
  env: { PUBLIC_URL: 'https://fly.example', LOG_LEVEL: 'trace' },
  logTo: { write: (line) => logged.push(line) },
  school: { timeZoneName: 'America/Los_Angeles' },
}).extend('addressOf', ({ api }) => async (who: Member): Promise<string> => {
  const { url } = await expectOk<{ url: string }>(api, who, 'POST', '/calendar/token')
  expect(url).toMatch(/^https:\/\/fly\.example\/calendar\/[\w-]{43}\.ics$/)
  return new URL(url).pathname
})

const logged: string[] = []

function eventsOf(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  ICAL.TimezoneService.reset()
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  return calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))
}

describe('a calendar feed', () => {
  test('contains whatever people write, in lines of 75 octets at most', () => {
    const at = new Date('2026-11-23T10:00:00Z')
    const title = `Ana, "Bo"; \\ 🛩️${'👩‍✈️日本'.repeat(20)}\r\nEND:VEVENT`
    const booking = {
      id: 1,
      uid: 'a1b2',
      type: 'dual',
      title: `${title}\u0007`,
      notes: null,
      starts_at: at,
      ends_at: at,
    }
    const rest = {
      time_zone_name: 'America/Los_Angeles',
      created_at: at,
      updated_at: at,
      seats: [{ name: 'Ruiz, Ana' }],
      resource: { name: 'N1;2' },
    }
    const meeting_url = 'https://meet.example/a,b;c'
    const organization = 'Sky, Inc; \\ 🛩️\nX-OTHER:1'
    const bookings = [{ ...booking, ...rest, meeting_url, location: null } as unknown as ReservationRow]
    const terms = {
      now: at,
      publicUrl: 'https://fly.example',
      organizer: { name: 'Sky via Flightline', email: 'no-reply@fly.example' },
    }
    const zone = 'America/Los_Angeles'
    const changes = new Map([[1, { sequence: 2, today: 0 }]])
    const text = calendarView({ organization, zone, bookings, changes }, terms)
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
    for (const line of text.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(line).not.toMatch(/\p{Cc}/u)
      expect(line.isWellFormed()).toBe(true)
    }
    const calendar = new ICAL.Component(ICAL.parse(text))
    const escaped = 'Sky\\, Inc\\; \\\\ 🛩️\\nX-OTHER:1'
    expect(['name', 'x-wr-calname'].map((name) => calendar.getFirstPropertyValue(name))).toEqual([escaped, escaped])
    expect(calendar.getFirstProperty('x-other')).toBeNull()
    const [event, ...others] = eventsOf(text)
    expect(others).toEqual([])
    // Two in the morning at the school, standard time.
    expect(text).toContain('DTSTART;TZID=America/Los_Angeles:20261123T020000\r\n')
    expect(calendar.getFirstSubcomponent('vtimezone')?.getFirstPropertyValue('tzid')).toBe('America/Los_Angeles')
    expect(event?.startDate.toJSDate()).toEqual(at)
    expect(event?.uid).toBe('a1b2')
    expect(event?.summary).toBe(title.replace('\r', ''))
    expect(event?.description).toBe('dual: Ruiz, Ana')
    expect(event?.location).toBe('N1;2')
    expect(event?.sequence).toBe(2)
    expect(event?.component.getFirstPropertyValue('categories')).toBe('dual')
    expect(event?.organizer).toBe('mailto:no-reply@fly.example')
    const url = event?.component.getFirstPropertyValue('url')
    expect(decodeURIComponent(String(url))).toBe(meeting_url)
  })

  test('contains the member’s bookings at their instants and is read without a token', async ({
    api,
    school,
    addressOf,
  }) => {
    const title = `Stalls, "slow flight"; & more \\ ${'so long a title that its line must be folded '.repeat(3)}`.trim()
    await bookDual(api, school, { extra: { title, notes: 'Bring:\n- headset\n- logbook' } })
    const response = await api.call('GET', await addressOf(school.student))
    expect(response.statusCode, response.body).toBe(200)
    expect(response.headers['content-type']).toBe('text/calendar; charset=utf-8')
    expect(response.body.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n')).toBe(true)
    expect(response.body.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
    const [event, ...others] = eventsOf(response.body)
    expect(others).toEqual([])
    expect(event?.summary).toBe(title)
    expect(event?.uid).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    expect(event?.startDate.toJSDate().toISOString()).toBe('2026-11-23T10:00:00.000Z')
    expect(event?.endDate.toJSDate().toISOString()).toBe('2026-11-23T12:00:00.000Z')
    expect(event?.location).toBe(`${school.plane.name}, ${school.location.name}`)
    expect(event?.description).toBe(
      `dual: ${school.instructor.name}, ${school.student.name}\n\nBring:\n- headset\n- logbook`,
    )
  })

  test('follows a booking that moves and drops one that is cancelled', async ({ api, school, addressOf }) => {
    const id = await bookDual(api, school)
    const address = await addressOf(school.instructor)
    const [before] = eventsOf((await api.call('GET', address)).body)
    await expectOk(api, school.instructor, 'PATCH', `/reservations/${id}`, { end: '2026-11-23T13:00:00Z' })
    const [after] = eventsOf((await api.call('GET', address)).body)
    expect(after?.uid).toBe(before?.uid)
    expect(after?.endDate.toJSDate().toISOString()).toBe('2026-11-23T13:00:00.000Z')
    const body = { reason: 'Fog', category: 'weather' }
    await api.as(school.admin).delete(`/reservations/${id}`, body)
    expect(eventsOf((await api.call('GET', address)).body)).toEqual([])
  })

  test('contains neither notes nor the call of a booking that the member made without a seat on it', async ({
    api,
    school,
    addressOf,
  }) => {
    const id = await bookDual(api, school, { extra: { notes: 'Bring the headset' } })
    const { pool } = api.core.database
    await pool.query('update reservation set meeting_url = $2, created_by = $3 where id = $1', [
      id,
      'https://meet.example/1',
      school.dispatcher.orgUserId,
    ])
    const read = async (who: Member) => {
      const unfolded = (await api.call('GET', await addressOf(who))).body.replaceAll('\r\n ', '')
      return ['Bring the headset', 'meet.example'].filter((text) => unfolded.includes(text))
    }
    expect(await read(school.student)).toEqual(['Bring the headset', 'meet.example'])
    expect(await read(school.dispatcher)).toEqual([])
  })

  test('goes 90 days back and contains nobody else’s bookings', async ({ api, school, addressOf }) => {
    await bookDual(api, school, { start: '2026-08-24T10:00:00Z', end: '2026-08-24T12:00:00Z' })
    await bookDual(api, school, { start: '2026-08-20T10:00:00Z', end: '2026-08-20T12:00:00Z' })
    const [event, ...others] = eventsOf((await api.call('GET', await addressOf(school.student))).body)
    expect([event?.startDate.toJSDate().toISOString(), others.length]).toEqual(['2026-08-24T10:00:00.000Z', 0])
    expect(eventsOf((await api.call('GET', await addressOf(school.renter))).body)).toEqual([])
  })
})

describe('the zones of a calendar (RFC 5545 §3.6.5)', () => {
  const organizer = { name: 'Sky via Flightline', email: 'no-reply@fly.example' }
  const terms = { publicUrl: 'https://fly.example', organizer, sequence: 0, notes: false, now: new Date('2026-03-01') }

  const bookingAt = (starts_at: Date, time_zone_name: string) =>
    ({
      id: 1,
      uid: `${time_zone_name} ${starts_at.toISOString()}`,
      type: 'dual',
      title: 'Stalls',
      notes: null,
      starts_at,
      ends_at: new Date(starts_at.getTime() + 5_400_000),
      time_zone_name,
      meeting_url: null,
      created_at: starts_at,
      updated_at: starts_at,
      seats: [],
      resource: null,
      location: null,
    }) as unknown as ReservationRow

  const write = (bookings: ReservationRow[]) =>
    calendarView({ organization: 'Sky', zone: 'Asia/Calcutta', bookings, changes: new Map() }, terms)

  test('are defined under the names that events have, at the right instants, for every name the service takes', async ({
    api,
  }) => {
    const { rows } = await api.core.database.pool.query<{ name: string }>('select name from pg_timezone_names')
    const known = rows.map(({ name }) => name)
    const zones = [...new Set([...known, ...Intl.supportedValuesOf('timeZone'), 'US/Pacific-New'])].filter(isZone)
    expect(zones.length).toBeGreaterThan(590)
    expect(zones).toEqual(expect.arrayContaining(['Asia/Calcutta', 'US/Pacific', 'America/Edmonton', 'Etc/GMT+5']))
    // Noon of every 65th day for 15 months: both sides of each clock change.
    const instants = Array.from({ length: 7 }, (_, index) => new Date(Date.UTC(2026, 1, 20 + index * 65, 12)))
    const wrong = zones.filter((zone) => {
      const text = write(instants.map((at) => bookingAt(at, zone)))
      const named = [...text.matchAll(/TZID=([^:;]+):/g)].map((match) => match[1])
      const [definition, ...others] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vtimezone')
      const starts = eventsOf(text).map((event) => event.startDate.toJSDate().getTime())
      const right = instants.every((at, index) => starts[index] === at.getTime())
      return (
        others.length > 0 ||
        definition?.getFirstPropertyValue('tzid') !== zone ||
        named.some((n) => n !== zone) ||
        !right
      )
    })
    expect(wrong).toEqual([])
  })

  test('have changes that return each year as a rule, and others one by one', () => {
    const definitionOf = (zone: string) =>
      /BEGIN:VTIMEZONE.*END:VTIMEZONE/s.exec(write([bookingAt(terms.now, zone)]))?.[0]
    expect(definitionOf('Europe/Berlin')?.split('\r\n')).toEqual([
      ...['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin'],
      ...['BEGIN:DAYLIGHT', 'DTSTART:20250330T020000', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'],
      ...['TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'END:DAYLIGHT'],
      ...['BEGIN:STANDARD', 'DTSTART:20251026T030000', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'],
      ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'END:STANDARD', 'END:VTIMEZONE'],
    ])
    // The clocks of Morocco change around Ramadan, whose days move through the year.
    expect(definitionOf('Africa/Casablanca')).not.toContain('RRULE')
    expect(definitionOf('Asia/Calcutta')).toContain('DTSTART:19700101T000000\r\nTZOFFSETFROM:+0530\r\nTZOFFSETTO:+0530')
  })

  test('stand after all properties; a calendar without bookings has properties and the zone of its organization', () => {
    const calendars = [write([]), write([bookingAt(terms.now, 'US/Pacific'), bookingAt(terms.now, 'UTC')])]
    const booking = bookingAt(terms.now, 'US/Pacific')
    calendars.push(invitationTo(booking, { name: 'Ana', address: 'ana@fly.example' }, terms).content)
    for (const text of calendars) {
      const depths = text.split('\r\n').slice(1, -2)
      const firstComponent = depths.findIndex((line) => line.startsWith('BEGIN:'))
      const [properties, components] = [depths.slice(0, firstComponent), depths.slice(firstComponent).join('\n')]
      expect(properties.filter((line) => /^(BEGIN|END):/.test(line))).toEqual([])
      expect(components.replace(/^BEGIN:(VTIMEZONE|VEVENT)\n.*?^END:\1(\n|$)/gms, '')).toBe('')
    }
    const [empty, full, invitation] = calendars.map((text) => new ICAL.Component(ICAL.parse(text)))
    for (const calendar of [empty, full]) {
      expect(String(calendar?.getFirstPropertyValue('refresh-interval'))).toBe('PT15M')
      expect(calendar?.getFirstPropertyValue('x-published-ttl')).toBe('PT15M')
    }
    const zonesOf = (calendar: ICAL.Component | undefined) =>
      calendar?.getAllSubcomponents('vtimezone').map((zone) => zone.getFirstPropertyValue('tzid'))
    expect([empty, full, invitation].map(zonesOf)).toEqual([['Asia/Calcutta'], ['US/Pacific', 'UTC'], ['US/Pacific']])
  })
})

describe('the address of a calendar feed', () => {
  test('is replaced by another and can be removed', async ({ api, school, addressOf }) => {
    const first = await addressOf(school.student)
    const second = await addressOf(school.student)
    expect(second).not.toBe(first)
    expect((await api.call('GET', first)).statusCode).toBe(404)
    expect((await api.call('GET', second)).statusCode).toBe(200)
    const { token } = school.student
    expect((await api.call('DELETE', '/calendar/token', { token })).statusCode).toBe(204)
    expect((await api.call('GET', second)).statusCode).toBe(404)
    expect((await api.call('DELETE', '/calendar/token', { token })).statusCode).toBe(204)
  })

  test('ends with the membership', async ({ api, school, addressOf }) => {
    const address = await addressOf(school.student)
    await api.as(school.admin).delete(`/orgUsers/${school.student.orgUserId}`)
    expect((await api.call('GET', address)).statusCode).toBe(404)
  })

  test('ends with a new password and with the account', async ({ api, school, addressOf }) => {
    const { student, renter } = school
    const [address, other] = [await addressOf(student), await addressOf(renter)]
    await api.call('POST', '/auth/forgot-password', { body: { email: student.email } })
    const token = await mailedToken(api, student.email, 'reset_password')
    const body = { token, password: 'another long way home' }
    expect((await api.call('POST', '/auth/reset-password', { body })).statusCode).toBe(204)
    expect((await api.call('GET', address)).statusCode).toBe(404)
    expect((await api.call('DELETE', '/users', { token: renter.token })).statusCode).toBe(204)
    expect((await api.call('GET', other)).statusCode).toBe(404)
  })

  test('is sent to no other page in a referrer, and wrong guesses count against their network alone', async () => {
    const strict = await startTestApp({ env: { RATE_LIMIT_FACTOR: '1' } })
    const { student } = await buildSchool(strict)
    const { url } = await expectOk<{ url: string }>(strict, student, 'POST', '/calendar/token')
    const read = (path: string) => strict.call('GET', path)
    const guesses = await Promise.all(Array.from({ length: 100 }, (_, index) => read(`/calendar/guess-${index}.ics`)))
    expect(guesses.map(({ statusCode }) => statusCode)).toEqual(Array(100).fill(404))
    limited(await read('/calendar/one-more.ics'))
    const reads = await Promise.all(Array.from({ length: 60 }, () => read(new URL(url).pathname)))
    expect(reads.map(({ statusCode }) => statusCode)).toEqual(Array(60).fill(200))
    expect(reads[0]?.headers['referrer-policy']).toBe('no-referrer')
    limited(await read(new URL(url).pathname))
    const metrics = await strict.call('GET', '/metrics', {
      headers: { authorization: `Basic ${btoa('ops:ops-password')}` },
    })
    expect(metrics.body).toContain('route="/calendar/:token.ics"')
    expect(metrics.body).not.toMatch(/guess-|one-more/)
    expect(metrics.body).not.toContain(new URL(url).pathname)
    await strict.close()
  })

  test('is stored nowhere in the database, and is made again for a replay', async ({ api, school }) => {
    const headers = { 'idempotency-key': 'calendar-1' }
    const { token } = school.student
    const [first, again] = [
      await api.call('POST', '/calendar/token', { token, headers }),
      await api.call('POST', '/calendar/token', { token, headers }),
    ]
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.json()).toEqual(first.json())
    const secret = new URL(first.json().data.url).pathname.slice('/calendar/'.length, -'.ics'.length)
    const { rows } = await api.core.database.pool.query<{ found: string }>(
      `select query_to_xml('select * from ' || quote_ident(table_name), true, false, '')::text as found
         from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    expect(rows.filter(({ found }) => found.includes(secret))).toEqual([])
  })

  test('is in no log line, found or not', async ({ api, school, addressOf }) => {
    const address = await addressOf(school.student)
    await api.call('GET', address)
    await api.as(school.student).delete('/calendar/token')
    await api.call('GET', address)
    const lines = logged.join('')
    expect(lines).toContain('"route":"/calendar/:token.ics"')
    expect(lines).not.toContain(address.slice('/calendar/'.length, -'.ics'.length))
  })

  test.for(['x', 'x'.repeat(43), `${'x'.repeat(43)}%00`, '..%2f..%2fetc', 'x'.repeat(200)])(
    '%s is none: 404',
    async (secret, { api }) => {
      const response = await api.call('GET', `/calendar/${secret}.ics`)
      expect(response.statusCode).toBe(404)
      expect(response.json().message).toEqual(expect.any(String))
    },
  )
})
