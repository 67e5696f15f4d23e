import ICAL from 'ical.js'
import { describe, expect } from 'vitest'
import type { CaughtMail } from '../../../local/mail/inbox.ts'
import { NOW } from '../../support/app.ts'
import { buildMember, buildSchool } from '../../support/builders.ts'
import { schoolWorkersTest } from '../../support/fixtures.ts'
import { bookDual, dualBody, expectOk } from '../../support/flights.ts'

const test = schoolWorkersTest({
  env: { PUBLIC_URL: 'https://fly.example', MAIL_FROM: 'Flightline <no-reply@fly.example>' },
}).extend('mailsTo', ({ workers }) => async (email: string, subject: RegExp): Promise<CaughtMail[]> => {
  await workers.settled()
  return workers.mails(email).filter((mail) => subject.test(mail.subject))
})

const eventsOf = (mail: CaughtMail | undefined) => mail?.calendars.map(eventOf) ?? []

function eventOf(calendar: string) {
  expect(calendar).toMatch(/END:VCALENDAR\r?\n$/)
  const component = new ICAL.Component(ICAL.parse(calendar))
  const [event, ...others] = component.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one))
  expect(others).toEqual([])
  const people = event!.attendees.map((attendee) => attendee.getFirstValue())
  return {
    method: component.getFirstPropertyValue('method'),
    uid: event!.uid,
    sequence: event!.sequence,
    people,
    event: event!,
  }
}

describe('a mail of a school (§Notifications)', () => {
  test('is from the school via Flightline, and is answered to an address of it that was confirmed', async ({
    api,
    school,
    mailsTo,
  }) => {
    await bookDual(api, school)
    const [mail] = await mailsTo(school.student.email, /^New booking/)
    expect(mail?.from).toEqual({ name: expect.stringMatching(/ via Flightline$/), address: 'no-reply@fly.example' })
    expect(mail?.replyTo).toBeNull()
    const details = { email: school.admin.email }
    expect((await api.as(school.owner).patch('/organizations', { details })).statusCode).toBe(200)
    await bookDual(api, school, { start: '2026-11-25T18:00:00Z', end: '2026-11-25T20:00:00Z' })
    const [, later] = await mailsTo(school.student.email, /^New booking/)
    expect(later?.replyTo?.address).toBe(school.admin.email)
  })

  test('names people with their part in the booking', async ({ api, school, mailsTo }) => {
    await bookDual(api, school)
    const [mail] = await mailsTo(school.student.email, /^New booking/)
    expect(mail?.text).toContain(`${school.instructor.name} (instructor), ${school.student.name} (student)`)
  })

  test('of a demo organization goes to the mail catcher alone', async ({ api, mailsTo }) => {
    const demo = await buildSchool(api, { demo: true })
    await bookDual(api, demo)
    expect(await mailsTo(demo.student.email, /^New booking/)).toEqual([])
    await expectOk(api, demo.admin, 'POST', '/organizations/invite', { email: 'guest.of.demo@example.com' })
    expect(await mailsTo('guest.of.demo@example.com', /./)).toEqual([])
  })
})

describe('an invitation to a booking', () => {
  test('is added, moved and withdrawn under one UID, which the feed has too, and names its receiver alone', async ({
    api,
    school,
    mailsTo,
  }) => {
    const id = await bookDual(api, school)
    const moved = { start: '2026-11-26T18:00:00Z', end: '2026-11-26T20:00:00Z' }
    const [created] = await mailsTo(school.student.email, /^New booking/)
    expect((await api.as(school.dispatcher).patch(`/reservations/${id}`, moved)).statusCode).toBe(200)
    const [changed] = await mailsTo(school.student.email, /^Booking changed/)
    const { url } = (await api.as(school.student).post('/calendar/token')).json().data
    const feed = (await api.call('GET', new URL(url).pathname)).body
    const withdrawal = { reason: 'Fog', category: 'weather' }
    expect((await api.as(school.dispatcher).delete(`/reservations/${id}`, withdrawal)).statusCode).toBe(204)
    const [cancelled] = await mailsTo(school.student.email, /^Booking cancelled/)
    const events = [created, changed, cancelled].flatMap(eventsOf)
    expect(events.map(({ method, sequence }) => [method, sequence])).toEqual([
      ['REQUEST', 0],
      ['REQUEST', 1],
      ['CANCEL', 2],
    ])
    const uid = events[0]?.uid
    expect(uid).toMatch(/^[\da-f-]{36}$/)
    expect(events.map((event) => event.uid)).toEqual([uid, uid, uid])
    expect(feed).toContain(`UID:${uid}\r\nSEQUENCE:1`)
    expect(events[0]?.people).toEqual([`MAILTO:${school.student.email}`])
    expect(created?.calendars.join()).not.toContain(school.instructor.email)
    expect(events[0]?.event.organizer).toBe('mailto:no-reply@fly.example')
  })

  test('is withdrawn from who is taken off the booking, and comes to who takes the seat', async ({
    api,
    school,
    mailsTo,
  }) => {
    const id = await bookDual(api, school)
    const other = await buildMember(api, school.organizationId, ['instructor'])
    const [invited] = await mailsTo(school.instructor.email, /^New booking/)
    const personnel = { instructors: [{ orgUserId: other.orgUserId }] }
    expect((await api.as(school.dispatcher).patch(`/reservations/${id}`, { personnel })).statusCode).toBe(200)
    const [withdrawn] = eventsOf((await mailsTo(school.instructor.email, /cancelled/))[0])
    expect(withdrawn).toMatchObject({ method: 'CANCEL', uid: eventsOf(invited)[0]?.uid })
    const [taken] = eventsOf((await mailsTo(other.email, /^New booking/))[0])
    expect(taken).toMatchObject({ method: 'REQUEST', uid: withdrawn?.uid, people: [`MAILTO:${other.email}`] })
    expect(await mailsTo(school.student.email, /cancelled/)).toEqual([])
  })

  test('of a series is one for each date in one mail, of which each moves and ends alone or with the rest', async ({
    api,
    workers,
    school,
    mailsTo,
  }) => {
    const body = dualBody(school, { extra: { recurrence: { frequency: 'weekly', count: 4 } } })
    type Made = { id: number; series: { id: number } }[]
    const made = await expectOk<Made>(api, school.dispatcher, 'POST', '/reservations', body)
    const created = eventsOf((await mailsTo(school.student.email, /^4 new bookings/))[0])
    expect(created.map(({ method, sequence, event }) => [method, sequence, event.startDate.toString()])).toEqual([
      ['REQUEST', 0, '2026-11-23T10:00:00Z'],
      ['REQUEST', 0, '2026-11-30T10:00:00Z'],
      ['REQUEST', 0, '2026-12-07T10:00:00Z'],
      ['REQUEST', 0, '2026-12-14T10:00:00Z'],
    ])
    const uids = created.map(({ uid }) => uid)
    expect(new Set(uids).size).toBe(4)
    const { url } = (await api.as(school.student).post('/calendar/token')).json().data
    const feed = (await api.call('GET', new URL(url).pathname)).body
    for (const uid of uids) expect(feed).toContain(`UID:${uid}\r\nSEQUENCE:0`)

    const moved = { start: '2026-12-01T10:00:00Z', end: '2026-12-01T12:00:00Z' }
    expect((await api.as(school.dispatcher).patch(`/reservations/${made[1]!.id}`, moved)).statusCode).toBe(200)
    const changed = eventsOf((await mailsTo(school.student.email, /^Booking changed/))[0])
    expect(changed.map(({ method, sequence, uid }) => [method, sequence, uid])).toEqual([['REQUEST', 1, uids[1]]])

    const withdrawal = { reason: 'Fog', category: 'weather' }
    await api.as(school.dispatcher).delete(`/reservations/${made[0]!.id}`, withdrawal)
    await workers.settled()
    api.clock.now = new Date(NOW.getTime() + 60_000)
    await api.as(school.dispatcher).delete(`/reservations/series/${made[0]!.series.id}`, { ...withdrawal, from: 2 })
    const [one, rest] = (await mailsTo(school.student.email, /cancelled/)).map(eventsOf)
    expect(one?.map(({ method, sequence, uid }) => [method, sequence, uid])).toEqual([['CANCEL', 1, uids[0]]])
    expect(rest?.map(({ method, sequence, uid }) => [method, sequence, uid])).toEqual([
      ['CANCEL', 2, uids[1]],
      ['CANCEL', 1, uids[2]],
      ['CANCEL', 1, uids[3]],
    ])
  })

  test('comes with ten changes a day of its booking, and with its end', async ({ api, workers, school, mailsTo }) => {
    const id = await bookDual(api, school)
    for (let hour = 1; hour <= 11; hour++) {
      const [from, to] = [hour, hour + 2].map((at) => `2026-11-26T${String(at).padStart(2, '0')}:00:00Z`)
      await api.as(school.dispatcher).patch(`/reservations/${id}`, { start: from, end: to })
      await workers.settled()
    }
    await api.as(school.dispatcher).delete(`/reservations/${id}`, { reason: 'Fog', category: 'weather' })
    const invited = (await mailsTo(school.student.email, /^Booking ch/)).map((mail) => mail.calendars.length)
    expect(invited).toEqual([...Array(10).fill(1), 0])
    expect(eventsOf((await mailsTo(school.student.email, /cancelled/))[0])[0]?.method).toBe('CANCEL')
  })
})

describe('the link that turns a kind of mail off', () => {
  test('works with one click and no sign-in, for that kind alone; opening it changes nothing', async ({
    api,
    school,
    mailsTo,
  }) => {
    await bookDual(api, school)
    const [mail] = await mailsTo(school.student.email, /^New booking/)
    const address = /^<https:\/\/fly\.example(\/mail\/unsubscribe\/\S+)>$/.exec(mail?.unsubscribe ?? '')?.[1] ?? ''
    expect(mail?.html).toContain(address)
    const mailed = async () => {
      const { data } = (await api.as(school.student).get('/notifications/preferences')).json()
      return data.filter((row: { email: boolean }) => !row.email).map(({ kind }: { kind: string }) => kind)
    }
    const before = await mailed()
    expect((await api.call('GET', address)).statusCode).toBe(200)
    expect(await mailed()).toEqual(before)
    const clicked = await api.app.inject({
      method: 'POST',
      url: address,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect(clicked.statusCode).toBe(200)
    expect((await mailed()).filter((kind: string) => !before.includes(kind))).toEqual(['reservation_created'])
    const forged = address.replace('reservation_created', 'reservation_changed')
    expect((await api.call('POST', forged)).statusCode).toBe(404)
  })
})
