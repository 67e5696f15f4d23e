import ICAL from 'ical.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CaughtMail } from '../../../src/local/mail/inbox.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildSchool, type School } from '../../support/builders.ts'
import { bookDual } from '../../support/flights.ts'
import { startTestWorkers, type TestWorkers } from '../../support/workers.ts'

let api: TestApp
let workers: TestWorkers
let school: School
beforeAll(async () => {
  api = await startTestApp({
    env: { PUBLIC_URL: 'https://fly.example', MAIL_FROM: 'Flightline <no-reply@fly.example>' },
  })
  workers = await startTestWorkers(api)
})
beforeEach(async () => {
  school = await buildSchool(api)
})
afterAll(async () => {
  await workers.stop()
  await api.close()
})

async function mailsTo(email: string, subject: RegExp): Promise<CaughtMail[]> {
  await workers.settled()
  return workers.mails(email).filter((mail) => subject.test(mail.subject))
}

function eventOf({ calendar }: CaughtMail) {
  expect(calendar).toMatch(/END:VCALENDAR\r?\n$/)
  const component = new ICAL.Component(ICAL.parse(calendar ?? ''))
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

describe('a mail of a school', () => {
  test('is from the school via Flightline, and is answered to an address of it that was confirmed', async () => {
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

  test('names people with their part in the booking', async () => {
    await bookDual(api, school)
    const [mail] = await mailsTo(school.student.email, /^New booking/)
    expect(mail?.text).toContain(`${school.instructor.name} (instructor), ${school.student.name} (student)`)
  })

  test('of a demo organization goes to the mail catcher alone', async () => {
    const demo = await buildSchool(api, { demo: true })
    await bookDual(api, demo)
    expect(await mailsTo(demo.student.email, /^New booking/)).toEqual([])
  })
})

describe('an invitation to a booking', () => {
  test('is added, moved and withdrawn under one UID, which the feed has too, and names its receiver alone', async () => {
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
    const events = [created!, changed!, cancelled!].map(eventOf)
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
    expect(created?.calendar).not.toContain(school.instructor.email)
    expect(events[0]?.event.organizer).toBe('mailto:no-reply@fly.example')
  })
})

describe('the link that turns a kind of mail off', () => {
  test('works with one click and no sign-in, for that kind alone; opening it changes nothing', async () => {
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
