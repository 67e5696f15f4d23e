import { describe, expect } from 'vitest'
import { bookingBody, seats } from '../../../support/booking.ts'
import { buildSchool, type Member } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { bulk } from '../../../support/operations.ts'

const reason = 'Saw the paper at the counter'

/** A school where a solo needs endorsements that nobody has, and an override needs the paper. */
const test = schoolTest()
  .extend('asked', { auto: true }, async ({ api, school }) => {
    await expectOk(api, school.admin, 'PATCH', '/rules/endorsement', { enforcement: 'block' })
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { overridesNeedPaper: true } })
    return true
  })
  .extend('scan', ({ api, school }) => async (of: Member = school.student, category = 'certificate') => {
    const body = { title: 'Logbook', category, fileName: 'scan.pdf', orgUserId: of.orgUserId }
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/documents', body)
    await api.core.database.db.updateTable('document').set({ upload: 'stored' }).where('id', '=', id).execute()
    return id
  })
  .extend(
    'solo',
    ({ school }) =>
      (documentId?: number | null, extra: object = {}) =>
        bookingBody(school, 'solo', {
          personnel: seats({ students: [school.student] }),
          ...(documentId !== undefined && { overrides: [{ rule: 'endorsement', reason, documentId }] }),
          ...extra,
        }),
  )
  .extend('refusal', ({ api, school }) => async (url: string, body: object, method: 'post' | 'patch' = 'post') => {
    const answer = await api.as(school.admin)[method](url, body)
    return [answer.statusCode, answer.json().details?.problems?.[0]?.field]
  })

const needed = [400, 'overrides.0.documentId']

describe('an override of an endorsement (interface §Booking rules)', () => {
  test('needs the document of the paper, in a check, a booking, a series and a move', async ({
    api,
    school,
    scan,
    solo,
    refusal,
  }) => {
    expect(await refusal('/reservations', solo(null))).toEqual(needed)
    const recurrence = { frequency: 'weekly', interval: 1, count: 3 }
    expect(await refusal('/reservations', solo(null, { recurrence }))).toEqual(needed)
    const checked = await api.as(school.admin).post('/reservations/check', solo(null))
    expect(checked.json().data).toMatchObject({ ok: false, problems: [{ field: 'overrides.0.documentId' }] })
    const documentId = await scan()
    const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/reservations', solo(documentId))
    const read = (who: Member) => expectOk<{ overrides: object[] }>(api, who, 'GET', `/reservations/${id}`)
    expect(await read(school.dispatcher)).toMatchObject({ overrides: [{ paper: true, documentId }] })
    const [shown] = (await read(school.instructor)).overrides
    expect(shown).toMatchObject({ paper: true })
    expect(shown).not.toHaveProperty('documentId')
    const moved = { start: '2026-12-23T10:00:00Z', end: '2026-12-23T12:00:00Z' }
    const overrides = [{ rule: 'endorsement', reason }]
    expect(await refusal(`/reservations/${id}`, { ...moved, overrides }, 'patch')).toEqual(needed)
    const withPaper = [{ rule: 'endorsement', reason, documentId }]
    await expectOk(api, school.admin, 'PATCH', `/reservations/${id}`, { ...moved, overrides: withPaper })
    const series = solo(documentId, { recurrence, start: '2027-01-04T10:00:00Z', end: '2027-01-04T12:00:00Z' })
    await expectOk(api, school.admin, 'POST', '/reservations', series)
  })

  test('answers every wrong document alike, also one of another organization', async ({ api, school, scan, solo }) => {
    const elsewhere = await buildSchool(api)
    const strange = await expectOk<{ id: number }>(api, elsewhere.dispatcher, 'POST', '/documents', {
      title: 'Logbook',
      category: 'certificate',
      fileName: 'scan.pdf',
      orgUserId: elsewhere.student.orgUserId,
    })
    const messages = new Set<string>()
    for (const id of [strange.id, 2_000_000_000, await scan(school.renter), await scan(school.student, 'medical')]) {
      const answer = await api.as(school.admin).post('/reservations', solo(id))
      expect(answer.statusCode).toBe(400)
      messages.add(answer.json().message)
    }
    expect(messages.size).toBe(1)
    const other = { overrides: [{ rule: 'opening_hours', reason, documentId: await scan() }] }
    const unfit = await api.as(school.admin).post('/reservations', solo(undefined, other))
    expect(unfit.json().message).toMatch(/^overrides\.0\.documentId: is only for overrides of/)
  })

  test('needs it in a bulk, in later overrides and at the release', async ({ api, school, scan, solo, refusal }) => {
    const documentId = await scan()
    const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/reservations', solo(documentId))
    const move = (overrides: object[]) =>
      bulk(api, school.admin, { ids: [id], action: { move: { minutes: 4320 } }, overrides })
    const refused = await move([{ rule: 'endorsement', reason }])
    expect(refused.rows).toMatchObject([{ outcome: 'refused', problems: [{ field: 'overrides.0.documentId' }] }])
    const done = await move([{ rule: 'endorsement', reason, documentId }])
    expect(done.rows).toMatchObject([{ outcome: 'done' }])
    await expectOk(api, school.admin, 'PATCH', '/rules/endorsement', { enforcement: 'warn' })
    const late = solo(undefined, { start: '2026-12-01T10:00:00Z', end: '2026-12-01T12:00:00Z' })
    const later = await expectOk<{ id: number }>(api, school.admin, 'POST', '/reservations', late)
    await expectOk(api, school.admin, 'PATCH', '/rules/endorsement', { enforcement: 'block' })
    const without = { overrides: [{ rule: 'endorsement', reason }] }
    expect(await refusal(`/reservations/${later.id}/overrides`, without)).toEqual(needed)
    api.clock.now = new Date('2026-12-01T09:30:00Z')
    const settings = { dispatchChecks: 'block', deskRamps: true }
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings })
    const out = { hobbsTimeOut: 1000, tachTimeOut: 900 }
    expect(await refusal(`/reservations/${later.id}/rampOut`, { ...out, ...without })).toEqual(needed)
    const withPaper = { overrides: [{ rule: 'endorsement', reason, documentId }] }
    await expectOk(api, school.admin, 'POST', `/reservations/${later.id}/rampOut`, { ...out, ...withPaper })
  })

  test('keeps its document until the booking is over', async ({ api, school, scan, solo }) => {
    const documentId = await scan()
    const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/reservations', solo(documentId))
    const remove = () => api.as(school.dispatcher).delete(`/documents/${documentId}`)
    expect((await remove()).json()).toMatchObject({ code: 'DOCUMENT_IN_USE' })
    const change = (body: object) => api.as(school.dispatcher).patch(`/documents/${documentId}`, body)
    for (const body of [{ fileName: 'other.pdf' }, { category: 'medical' }]) {
      expect((await change(body)).json()).toMatchObject({ code: 'DOCUMENT_IN_USE' })
    }
    expect((await change({ title: 'Logbook, page 3', category: 'certificate' })).statusCode).toBe(200)
    api.clock.now = new Date('2026-11-23T12:00:00.001Z')
    expect((await remove()).statusCode).toBe(204)
    expect(await expectOk(api, school.admin, 'GET', `/reservations/${id}`)).toMatchObject({
      overrides: [{ paper: false }],
    })
  })

  test('is not needed where the organization does not ask for it, which owners are mailed', async ({
    api,
    school,
    solo,
  }) => {
    const mails = async () => {
      const { rows } = await api.core.database.pool.query<{ payload: { change: string } }>(
        `select payload from outbox where organization_id = $1 and job = 'organizations.mail-owner-changed'`,
        [school.organizationId],
      )
      return rows.map(({ payload }) => payload.change)
    }
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { overridesNeedPaper: true } })
    expect(await mails()).toEqual([])
    await expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { overridesNeedPaper: false } })
    expect(await mails()).toEqual(['papers_waived'])
    await expectOk(api, school.admin, 'POST', '/reservations', solo(null))
  })
})
