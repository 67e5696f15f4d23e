import { describe, expect } from 'vitest'
import { notifyPublished } from '../../../../src/shared/communication/announcements/publish-announcement.ts'
import { createAnnouncement } from '../../../../src/shared/communication/announcements/write-announcement.ts'
import { publishAnnouncement } from '../../../../src/shared/communication/communication.jobs.ts'
import type { Actor } from '../../../../src/shared/platform/authz/actor.ts'
import { readSettings } from '../../../../src/shared/platform/authz/organization-settings.ts'
import { roleFlags } from '../../../../src/shared/platform/authz/roles.ts'
import { inTransaction, type Tx } from '../../../../src/shared/platform/db/transaction.ts'
import { buildMember, buildSchool, type Member, type School } from '../../../support/builders.ts'
import { notifyingTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'

interface Notification {
  id: number
  title: string
  data: { announcementId?: number }
}

const test = notifyingTest()
  .extend(
    'announce',
    ({ env, school }) =>
      (body: object = {}, by: Member = school.dispatcher) =>
        expectOk<Announcement>(env.api, by, 'POST', '/announcements', { ...ramp, ...body }),
  )
  .extend(
    'change',
    ({ env, school }) =>
      (id: number, body: object) =>
        expectOk(env.api, school.dispatcher, 'PATCH', `/announcements/${id}`, body),
  )
  .extend(
    'titles',
    ({ env }) =>
      async (by: Member) =>
        (await expectOk<Announcement[]>(env.api, by, 'GET', '/announcements')).map(({ title }) => title),
  )
  .extend(
    'statusOf',
    ({ env }) =>
      async (by: Member, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', id: number) =>
        (
          await env.api.call(method, `/announcements/${id}`, {
            token: by.token,
            ...(method === 'PATCH' && { body: {} }),
          })
        ).statusCode,
  )
  .extend(
    'groupOf',
    ({ env, school }) =>
      async (name: string, ...members: Member[]) =>
        (
          await expectOk<{ id: number }>(env.api, school.admin, 'POST', '/groups', {
            name,
            orgUserIds: members.map(({ orgUserId }) => orgUserId),
          })
        ).id,
  )
  /** Runs the notifications that are due later, and returns the instants at which they were due. */
  .extend('runOwed', ({ env }) => async (): Promise<string[]> => {
    const { api, workers } = env
    const rows = await api.core.database.db
      .deleteFrom('outbox')
      .where('job', '=', publishAnnouncement.name)
      .returning(['payload', 'available_at'])
      .execute()
    await workers.run(async (tx) => {
      for (const { payload } of rows) tx.enqueue(publishAnnouncement, publishAnnouncement.payload.parse(payload))
    })
    return rows.map(({ available_at }) => available_at.toISOString()).sort()
  })
  .extend(
    'notified',
    ({ env }) =>
      async (by: Member) =>
        (await expectOk<Notification[]>(env.api, by, 'GET', '/notifications')).map(({ title }) => title),
  )
  /** Runs a use case as the dispatcher of a school at an instant, with two announcements a day, and publishes its jobs of now. */
  .extend('run', ({ env }) => async <T>(instant: string, of: School, useCase: (tx: Tx, actor: Actor) => Promise<T>) => {
    const actor: Actor = {
      ...of.dispatcher,
      organizationId: of.organizationId,
      emailVerified: true,
      roles: roleFlags({ dispatcher: true }),
      organization: { name: 'School', demo: false, timeZoneName: 'UTC', settings: readSettings({}) },
    }
    const { core } = env.api
    const done = await inTransaction(
      core.database,
      () => new Date(instant),
      (tx) => useCase(tx, actor),
    )
    const due = done.enqueued.filter(({ availableAt }) => availableAt <= core.clock())
    core.relay.publish(due.filter(({ job }) => job !== publishAnnouncement.name))
    return done
  })
  .extend(
    'send',
    ({ run }) =>
      (instant: string, of: School, extra: object = {}) =>
        run(instant, of, (tx, actor) => createAnnouncement(tx, actor, { ...ramp, ...extra }, 2)),
  )

// The queue goes by real time, so nothing may be under way when the clock is set.
test.afterEach(async ({ env }) => {
  await env.api.core.database.db.deleteFrom('outbox').where('job', '=', publishAnnouncement.name).execute()
  await env.workers.settled()
})

interface Announcement {
  id: number
  title: string
  readAt: string | null
}

const ramp = { title: 'Ramp closed', body: 'On Friday.' }

describe('an announcement (§Announcements)', () => {
  test('is answered as it was sent, and changes in part', async ({ school, announce, change, groupOf }) => {
    const group = await groupOf('Class', school.student)
    const { id } = await announce()
    const body = {
      roles: ['student', 'student'],
      groupIds: [group, group],
      pinned: true,
      expiresAt: '2026-12-01T00:00:00Z',
    }
    expect(await change(id, body)).toEqual({
      id,
      ...ramp,
      roles: ['student'],
      groupIds: [group],
      pinned: true,
      publishAt: '2026-11-21T12:00:00.000Z',
      expiresAt: '2026-12-01T00:00:00.000Z',
      author: { orgUserId: school.dispatcher.orgUserId, name: school.dispatcher.name },
      readAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await change(id, { groupIds: [], expiresAt: null })).toMatchObject({
      roles: ['student'],
      groupIds: [],
      pinned: true,
      expiresAt: null,
    })
  })

  test('is listed pinned ones first, then the newest', async ({ school, announce, titles }) => {
    await announce({ title: 'Old', publishAt: '2026-11-19T12:00:00Z' })
    await announce({ title: 'New', publishAt: '2026-11-21T11:00:00Z' })
    await announce({ title: 'Pinned', publishAt: '2026-11-18T12:00:00Z', pinned: true })
    expect(await titles(school.student)).toEqual(['Pinned', 'New', 'Old'])
  })

  test('is shown to its roles and its groups, and to everyone when it names neither', async ({
    school,
    announce,
    titles,
    groupOf,
  }) => {
    const group = await groupOf('Class', school.student, school.technician)
    await announce({ title: 'Everyone' })
    await announce({ title: 'Pilots', roles: ['renter', 'instructor'] })
    await announce({ title: 'Class', groupIds: [group] })
    await announce({ title: 'Both', groupIds: [group], roles: ['renter'] })
    expect(await titles(school.student)).toEqual(['Both', 'Class', 'Everyone'])
    expect(await titles(school.renter)).toEqual(['Both', 'Pilots', 'Everyone'])
    expect(await titles(school.instructor)).toEqual(['Pilots', 'Everyone'])
    expect(await titles(school.technician)).toEqual(['Both', 'Class', 'Everyone'])
    for (const desk of [school.owner, school.admin, school.dispatcher]) expect(await titles(desk)).toHaveLength(4)
  })

  test('is visible from its first moment until its last, and to the desk always', async ({
    env,
    school,
    announce,
    titles,
    statusOf,
  }) => {
    const span = { publishAt: '2026-11-21T13:00:00Z', expiresAt: '2026-11-21T14:00:00Z' }
    const { id } = await announce(span)
    for (const [instant, status] of [
      ['2026-11-21T12:59:59.999Z', 404],
      ['2026-11-21T13:00:00Z', 200],
      ['2026-11-21T13:59:59.999Z', 200],
      ['2026-11-21T14:00:00Z', 404],
    ] as const) {
      env.api.clock.now = new Date(instant)
      expect([instant, await statusOf(school.student, 'GET', id)]).toEqual([instant, status])
      expect(await titles(school.student)).toHaveLength(status === 200 ? 1 : 0)
      expect(await statusOf(school.dispatcher, 'GET', id)).toBe(200)
    }
  })

  test('is marked as read by each member for themselves, at the first time', async ({
    env,
    school,
    announce,
    statusOf,
  }) => {
    const { id } = await announce()
    const readAt = async (by: Member) =>
      (await expectOk<Announcement>(env.api, by, 'GET', `/announcements/${id}`)).readAt
    expect(await readAt(school.student)).toBeNull()
    const mark = () => expectOk<Announcement>(env.api, school.student, 'POST', `/announcements/${id}`)
    expect(await mark()).toMatchObject({ id, readAt: '2026-11-21T12:00:00.000Z' })
    await env.workers.settled()
    env.api.clock.now = new Date('2026-11-21T13:00:00Z')
    expect(await mark()).toMatchObject({ id, readAt: '2026-11-21T12:00:00.000Z' })
    expect(await readAt(school.student)).toBe('2026-11-21T12:00:00.000Z')
    expect(await readAt(school.renter)).toBeNull()
    const hidden = await announce({ roles: ['renter'] })
    expect(await statusOf(school.student, 'POST', hidden.id)).toBe(404)
  })

  test('for one group alone is deleted with the group and never shown to everyone instead', async ({
    env,
    school,
    announce,
    titles,
    groupOf,
  }) => {
    const group = await groupOf('Class', school.student)
    const other = await groupOf('Club', school.renter)
    await announce({ title: 'Class', groupIds: [group] })
    await announce({ title: 'Both groups', groupIds: [group, other] })
    await announce({ title: 'Group and role', groupIds: [group], roles: ['instructor'] })
    await env.api.as(school.admin).delete(`/groups/${group}`)
    expect(await titles(school.technician)).toEqual([])
    expect(await titles(school.dispatcher)).toEqual(['Group and role', 'Both groups'])
    expect(await titles(school.renter)).toEqual(['Both groups'])
  })

  test.for<[string, object, RegExp]>([
    ['no title', { title: '' }, /^title: /],
    ['an endless body', { body: 'x'.repeat(10_001) }, /^body: /],
    ['an unknown role', { roles: ['pilot'] }, /^roles\.0: /],
    ['a group that is not there', { groupIds: [2_000_000_000] }, /^groupIds\.0: there is no such group/],
    ['an end before its start', { expiresAt: '2026-11-21T12:00:00Z' }, /^expiresAt: must be after publishAt/],
    ['a local time', { publishAt: '2026-11-22T12:00:00' }, /^publishAt: /],
  ])('with %s is refused by field name', async ([_what, body, message], { env, school }) => {
    const response = await env.api.as(school.admin).post('/announcements', { ...ramp, ...body })
    expect([response.statusCode, response.json().message]).toEqual([400, expect.stringMatching(message)])
  })
})

describe('the audience of an announcement', () => {
  const everyoneElse = ['admin', 'instructor', 'owner', 'renter', 'student', 'technician']

  test('is notified when it is published at once, without its author, and not again when it changes', async ({
    env,
    school,
    announce,
    change,
    runOwed,
  }) => {
    const { id } = await announce()
    await env.workers.settled()
    expect(await env.notifiedInApp(school)).toEqual(everyoneElse)
    expect(env.workers.mails(school.student.email).map(({ subject }) => subject)).toEqual(['Ramp closed'])
    await change(id, { body: 'On Saturday.', publishAt: '2026-11-21T15:00:00Z', roles: ['student'] })
    env.api.clock.now = new Date('2026-11-21T15:00:00Z')
    expect(await runOwed()).toEqual([])
    expect(await env.notifiedInApp(school)).toEqual(everyoneElse)
  })

  test('is notified once of a later one, at its time', async ({ env, school, announce, groupOf, runOwed }) => {
    const group = await groupOf('Class', school.renter)
    await announce({ roles: ['student'], groupIds: [group], publishAt: '2026-11-21T15:00:00Z' })
    const late = await buildMember(env.api, school.organizationId, ['student'])
    env.api.clock.now = new Date('2026-11-21T14:59:50Z')
    // A job that runs a moment early is enqueued again for its time.
    expect(await runOwed()).toEqual(['2026-11-21T15:00:00.000Z'])
    expect(await env.notifiedInApp(school)).toEqual([])
    env.api.clock.now = new Date('2026-11-21T15:00:00Z')
    expect(await runOwed()).toEqual(['2026-11-21T15:00:00.000Z'])
    expect(await env.notifiedInApp(school)).toEqual(['renter', 'somebody else', 'student'])
    expect(env.workers.mails(late.email)).toHaveLength(1)
    expect(await runOwed()).toEqual([])
  })

  test('is notified at the time that it was moved to, not at the one it was moved from', async ({
    env,
    school,
    announce,
    change,
    runOwed,
  }) => {
    const { id } = await announce({ roles: ['student'], publishAt: '2026-11-21T15:00:00Z' })
    await change(id, { publishAt: '2026-11-21T17:00:00Z', pinned: true })
    await change(id, { title: 'Ramp closed on Friday' })
    env.api.clock.now = new Date('2026-11-21T15:00:00Z')
    expect(await runOwed()).toEqual(['2026-11-21T15:00:00.000Z', '2026-11-21T17:00:00.000Z'])
    expect(await env.notifiedInApp(school)).toEqual([])
    env.api.clock.now = new Date('2026-11-21T17:00:00Z')
    expect(await runOwed()).toEqual(['2026-11-21T17:00:00.000Z'])
    expect(await env.notifiedInApp(school)).toEqual(['student'])
  })

  test('is notified at once of one that is moved to now, and not again at its first time', async ({
    env,
    school,
    announce,
    change,
    runOwed,
  }) => {
    const { id } = await announce({ roles: ['student'], publishAt: '2026-11-21T15:00:00Z' })
    await change(id, { publishAt: '2026-11-21T12:00:00Z' })
    await env.workers.settled()
    expect(await env.notifiedInApp(school)).toEqual(['student'])
    env.api.clock.now = new Date('2026-11-21T15:00:00Z')
    await runOwed()
    expect(await env.notifiedInApp(school)).toEqual(['student'])
  })

  test('is not notified of one that was deleted, or that is over at its time', async ({
    env,
    school,
    announce,
    statusOf,
    runOwed,
  }) => {
    const { id } = await announce({ publishAt: '2026-11-21T15:00:00Z' })
    await announce({ publishAt: '2026-11-21T15:00:00Z', expiresAt: '2026-11-21T16:00:00Z' })
    expect(await statusOf(school.admin, 'DELETE', id)).toBe(204)
    env.api.clock.now = new Date('2026-11-21T16:00:00Z')
    expect(await runOwed()).toHaveLength(2)
    expect(await env.notifiedInApp(school)).toEqual([])
  })
})

describe('another audience of an announcement that is out', () => {
  test('takes it from who is out, in notifications too, and tells who comes in, each once', async ({
    env,
    school,
    announce,
    change,
    titles,
    statusOf,
    notified,
  }) => {
    const { id } = await announce({ roles: ['student', 'renter'] })
    await env.workers.settled()
    expect([await notified(school.student), await notified(school.renter)]).toEqual([['Ramp closed'], ['Ramp closed']])
    await change(id, { roles: ['student', 'technician'] })
    await env.workers.settled()
    expect([await notified(school.student), await notified(school.renter)]).toEqual([['Ramp closed'], []])
    expect(await notified(school.technician)).toEqual(['Ramp closed'])
    expect([await titles(school.renter), await statusOf(school.renter, 'GET', id)]).toEqual([[], 404])
    await change(id, { roles: [], body: 'On Saturday.' })
    await env.workers.settled()
    for (const who of [school.student, school.renter, school.technician, school.instructor]) {
      expect(await notified(who)).toEqual(['Ramp closed'])
      expect(env.workers.mails(who.email)).toHaveLength(1)
    }
    expect(env.workers.mails(school.dispatcher.email)).toEqual([])
    expect(await statusOf(school.admin, 'DELETE', id)).toBe(204)
    expect(await notified(school.student)).toEqual([])
  })

  test('is also made by a group that somebody leaves', async ({ env, school, announce, groupOf, notified }) => {
    const group = await groupOf('Class', school.student)
    await announce({ groupIds: [group] })
    await env.workers.settled()
    expect(await notified(school.student)).toEqual(['Ramp closed'])
    await expectOk(env.api, school.admin, 'PUT', `/groups/${group}/members`, { orgUserIds: [] })
    expect(await notified(school.student)).toEqual([])
  })
})

describe('announcements that are sent to their audience', () => {
  test('are so many a day, over all organizations of an owner, and deleting one frees nothing', async ({
    env,
    school,
    statusOf,
    send,
  }) => {
    const other = await buildSchool(env.api)
    await env.api.core.database.db
      .updateTable('membership')
      .set({ account_id: school.owner.accountId })
      .where('id', '=', other.owner.orgUserId)
      .execute()
    const { result } = await send('2026-11-21T12:00:00Z', school)
    await send('2026-11-21T13:00:00Z', other)
    expect(await statusOf(school.admin, 'DELETE', result.id)).toBe(204)
    for (const owned of [school, other]) {
      await expect(send('2026-11-22T11:00:00Z', owned)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 3600 })
    }
    await send('2026-11-22T11:00:00Z', school, { publishAt: new Date('2026-11-23T12:00:00Z') })
    await send('2026-11-22T12:00:00Z', other)
    await expect(send('2026-11-22T12:00:00Z', school)).rejects.toMatchObject({ retryAfterSeconds: 3600 })
    await send('2026-11-22T12:00:00Z', await buildSchool(env.api))
  })

  test('at the same time count each other', async ({ school, send }) => {
    const sent = await Promise.allSettled([1, 2, 3, 4].map(() => send('2026-11-21T12:00:00Z', school)))
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  })

  test('wait, when the day has no more, while they are there already', async ({ env, school, statusOf, run, send }) => {
    const publishAt = new Date('2026-11-21T15:00:00Z')
    const { result } = await send('2026-11-21T12:00:00Z', school, { publishAt })
    await send('2026-11-21T13:00:00Z', school)
    await send('2026-11-21T14:00:00Z', school)
    const { enqueued } = await run('2026-11-21T15:00:00Z', school, (tx) => {
      const { organizationId } = school
      const payload = { organizationId, announcementId: result.id, publishAt: publishAt.toISOString() }
      return notifyPublished(tx, payload, 2)
    })
    expect(enqueued).toMatchObject([{ job: publishAnnouncement.name, availableAt: new Date('2026-11-22T13:00:00Z') }])
    env.api.clock.now = new Date('2026-11-21T15:00:00Z')
    expect(await statusOf(school.student, 'GET', result.id)).toBe(200)
  })
})

test('an announcement goes with its organization, who read it and whom it was for included', async ({
  env,
  school,
  announce,
  statusOf,
  groupOf,
}) => {
  const { id } = await announce({ groupIds: [await groupOf('Class', school.student)] })
  expect(await statusOf(school.student, 'POST', id)).toBe(200)
  const deleted = await env.api.as(school.owner).delete('/organizations')
  expect(deleted.statusCode).toBe(204)
})
