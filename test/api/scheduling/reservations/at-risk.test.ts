import { describe, expect } from 'vitest'
import { buildBusySchool, changeSomething, flaggedAndFound, judgeSoFar, seeded } from '../../../support/at-risk.ts'
import { buildMembers, buildPlane, type Member, writeSettings } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'

/** How many changes of something that the rules read are made; a drill makes a thousand. */
const CHANGES = 30

interface AtRisk {
  id: number
  problems: { rule: string; code: string; message: string }[]
}

const test = schoolTest()
  .extend('atRisk', ({ api, school }) => async (query = '', who: Member = school.dispatcher) => {
    await judgeSoFar(api, school.organizationId)
    return (await expectOk<AtRisk[]>(api, who, 'GET', `/reservations/atRisk?${query}`)).map(({ id, problems }) => ({
      id,
      rules: problems.map(({ rule }) => rule),
    }))
  })
  .extend('away', ({ api }) => ({ organizationId, orgUserId }: Member, on: number) => {
    const { start, end } = day(on)
    return api.core.database.db
      .insertInto('time_off')
      .values({
        organization_id: organizationId,
        membership_id: orgUserId,
        starts_at: new Date(start),
        ends_at: new Date(end),
      })
      .execute()
  })

const day = (n: number) => ({ start: `2026-11-${n}T10:00:00Z`, end: `2026-11-${n}T12:00:00Z` })

describe('bookings at risk (§Dispatch, GET /reservations/atRisk)', () => {
  test('are those that something stands in the way of since, until it goes', async ({ api, school, atRisk, away }) => {
    const plane = await buildPlane(api, school)
    const [monday, tuesday] = [await bookDual(api, school, day(23)), await bookDual(api, { ...school, plane }, day(24))]
    expect(await atRisk()).toEqual([])
    const ground = (grounded: boolean) =>
      expectOk(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, {
        grounded,
        reason: 'Flat strut',
      })
    await ground(true)
    await away(school.instructor, 24)
    const closed = { start: '2026-11-24T11:00:00Z', end: '2026-11-24T13:00:00Z', reason: 'Fly-in' }
    await expectOk(api, school.admin, 'POST', '/closures', closed)
    expect(await atRisk()).toEqual([
      { id: monday, rules: ['resource_grounded'] },
      { id: tuesday, rules: ['availability', 'closed_period'] },
    ])
    expect(await atRisk('rule=closed_period')).toMatchObject([{ id: tuesday }])
    expect(await atRisk('rule=currency,currency:7')).toEqual([])
    const unknown = await api.as(school.admin).get('/reservations/atRisk?rule=closed_period,closed')
    expect([unknown.statusCode, unknown.json().message]).toEqual([
      400,
      expect.stringMatching(
        /^rule: must be one of .*, closed_period, .*, currency:<id>, or several separated by commas$/,
      ),
    ])
    expect(await atRisk(`startDate=2026-11-24T00:00:00Z&endDate=2026-11-25T00:00:00Z`)).toMatchObject([{ id: tuesday }])
    expect(await atRisk(`locationId=${school.location.id + 1_000}`)).toEqual([])
    await ground(false)
    expect(await atRisk()).toMatchObject([{ id: tuesday }])
  })

  test('carry a fix from what is loaded: other resources that are free then, or the record that lacks', async ({
    api,
    school,
  }) => {
    const [free, busy] = [await buildPlane(api, school), await buildPlane(api, school)]
    await bookDual(api, school, day(23))
    await bookDual(api, school, day(24))
    const [instructor, student] = await buildMembers(api, school.organizationId, [['instructor'], ['student']])
    await bookDual(api, { ...school, plane: busy, instructor, student }, day(24))
    await expectOk(api, school.admin, 'PATCH', `/resources/${school.plane.id}/grounding`, {
      grounded: true,
      reason: 'Flat strut',
    })
    const problemsFor = async (who: Member) => {
      await judgeSoFar(api, school.organizationId)
      const rows = await expectOk<{ problems: { rule: string; fix?: object }[] }[]>(
        api,
        who,
        'GET',
        '/reservations/atRisk',
      )
      return rows.map(({ problems }) => problems.map(({ rule, fix }) => [rule, fix]))
    }
    const choose = (...planes: { id: number }[]) =>
      expect.objectContaining({ action: 'choose_resource', resourceIds: planes.map(({ id }) => id) })
    expect(await problemsFor(school.dispatcher)).toEqual([
      [['resource_grounded', choose(...[free, busy].toSorted((a, b) => (a.name < b.name ? -1 : 1)))]],
      [['resource_grounded', choose(free)]],
    ])
    // More rows take no more statements.
    const { statements } = await countStatements(api, () => api.as(school.dispatcher).get('/reservations/atRisk'))
    for (let n = 25; n < 29; n += 1) await bookDual(api, { ...school, plane: free }, day(n))
    await expectOk(api, school.admin, 'PATCH', `/resources/${free.id}/grounding`, {
      grounded: true,
      reason: 'Oil leak',
    })
    await judgeSoFar(api, school.organizationId)
    const more = await countStatements(api, () => api.as(school.dispatcher).get('/reservations/atRisk'))
    expect(more.statements.length).toBe(statements.length)
  })

  test('name the record that lacks, to who can record it', async ({ api, school }) => {
    await expectOk(api, school.admin, 'PATCH', '/rules/documents', { enforcement: 'block' })
    await bookDual(api, school, day(23))
    await writeSettings(api, school.organizationId, { requiredDocuments: { student: ['medical'] } })
    await judgeSoFar(api, school.organizationId)
    const fixFor = async (who: Member) => {
      const [row] = await expectOk<{ problems: { fix?: { action: string } }[] }[]>(
        api,
        who,
        'GET',
        '/reservations/atRisk',
      )
      return row?.problems.map(({ fix }) => fix?.action)
    }
    expect(await fixFor(school.dispatcher)).toEqual(['record_document'])
    expect(await fixFor(school.instructor)).toEqual([undefined])
  })

  test('tell an instructor who is grounded, and the desk why', async ({ api, school }) => {
    await bookDual(api, school)
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, {
      grounded: true,
      groundedReason: 'Heart surgery',
    })
    const told = async (who: Member) => {
      await judgeSoFar(api, school.organizationId)
      const [row] = await expectOk<AtRisk[]>(api, who, 'GET', '/reservations/atRisk')
      return row?.problems[0]?.message
    }
    expect(await told(school.dispatcher)).toContain('Heart surgery')
    expect(await told(school.instructor)).not.toContain('Heart surgery')
  })

  test('are not those that were overridden', async ({ api, school, atRisk }) => {
    const closed = { start: '2026-11-23T11:00:00Z', end: '2026-11-23T13:00:00Z', reason: 'Fly-in' }
    await expectOk(api, school.admin, 'POST', '/closures', closed)
    const overrides = [{ rule: 'closed_period', reason: 'The tower agreed' }]
    await bookDual(api, school, { extra: { overrides } })
    expect(await atRisk()).toEqual([])
  })

  test('are not read for a whole year at once', async ({ api, school }) => {
    const year = 'startDate=2026-11-01T00:00:00Z&endDate=2027-11-01T00:00:00Z'
    expect((await api.as(school.dispatcher).get(`/reservations/atRisk?${year}`)).statusCode).toBe(400)
  })

  test('are, whatever changes, those that judging all again finds', async ({ api }) => {
    const busy = await buildBusySchool(api, { planes: 6, bookings: 240 })
    const random = seeded(18)
    const sizes: number[] = []
    for (let change = 0; change < CHANGES; change += 1) {
      const kind = await changeSomething(api, busy, random)
      await judgeSoFar(api, busy.organizationId)
      const { flagged, found } = await flaggedAndFound(api, busy.organizationId)
      expect(flagged, kind).toEqual(found)
      sizes.push(found.length)
    }
    expect(Math.max(...sizes)).toBeGreaterThan(10)
  })
})
