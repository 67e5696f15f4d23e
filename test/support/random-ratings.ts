import { expect } from 'vitest'
import { findDesk } from '../../src/shared/scheduling/at-risk/at-risk.queries.ts'
import { judgeAhead } from '../../src/shared/scheduling/at-risk/judge-ahead.ts'
import type { TestApp } from './app.ts'
import { seeded } from './at-risk.ts'
import { buildMember, buildSchool, type Member, type School } from './builders.ts'
import { expectOk } from './flights.ts'

const HOUR_MS = 3_600_000
const asked = ['pilot_rating', 'endorsement', 'currency']

interface Told {
  rule: string
}

/** A random booking: its body, and the query of the openings at its start. */
interface Drawn {
  body: Record<string, unknown>
  openings: string
  start: Date
}

/** Where random bookings are judged: a school whose facts are drawn anew in each round. */
interface World {
  api: TestApp
  school: School
  planes: number[]
  instructors: Member[]
  students: Member[]
  renters: Member[]
}

/**
 * Draws so many random bookings of aircraft, people, papers and hours, and checks that checking, creating, openings, at risk and
 * release say the same about each. Returns how many were refused.
 */
export async function judgeAlike(api: TestApp, { rounds, each, seed }: { rounds: number; each: number; seed: number }) {
  const random = seeded(seed)
  const world = await buildWorld(api)
  let refused = 0
  for (let round = 0; round < rounds; round += 1) {
    await drawFacts(world, random)
    const drawn = Array.from({ length: each }, (_, n) => drawBooking(world, random, n))
    refused += await judgeRound(world, drawn)
  }
  return refused
}

async function buildWorld(api: TestApp): Promise<World> {
  const school = await buildSchool(api, { settings: { rules: {} } })
  const { pool } = api.core.database
  const models = ['172S', '172RG', '172N', 'PA-44', 'R-44', 'SR22', '7ECA', 'DA40 NG']
  const { rows } = await pool.query<{ id: number }>(
    `insert into resource (organization_id, location_id, kind, name, make, model)
     select $1, $2, 'plane', 'N' || model, 'Maker', model from unnest($3::text[]) model returning id`,
    [school.organizationId, school.location.id, models],
  )
  const many = (role: 'instructor' | 'student' | 'renter') =>
    Promise.all(Array.from({ length: 4 }, () => buildMember(api, school.organizationId, [role])))
  const people = {
    instructors: await many('instructor'),
    students: await many('student'),
    renters: await many('renter'),
  }
  await expectOk(api, school.admin, 'POST', '/currencies', {
    name: 'Insurer',
    kind: 'hours_in_model',
    deciHours: 30,
    enforcement: 'block',
    roles: ['renter'],
  })
  return { api, school, planes: rows.map(({ id }) => id), ...people }
}

type Random = () => number

function picker(random: Random) {
  return <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
}

/** Writes random facts of every aircraft and person, as verified. */
async function drawFacts(world: World, random: Random): Promise<void> {
  const { api, school, planes, instructors, students, renters } = world
  const { pool } = api.core.database
  const pick = picker(random)
  const some = (from: readonly string[]) => from.filter(() => random() < 0.5)
  const maybe = (chance: number) => random() < chance
  for (const id of planes) {
    const category = pick(['airplane', 'airplane', 'airplane', 'helicopter', 'glider', 'other'])
    const of = pick([null, 'single_engine_land', 'single_engine_land', 'multi_engine_land', 'helicopter'])
    const flags = { complex: maybe(0.2), highPerformance: maybe(0.2), tailwheel: maybe(0.1) }
    await pool.query('update resource set traits = $2, endorsed_as = $3 where id = $1', [
      id,
      JSON.stringify({ category, class: of, engines: 1, ...flags }),
      JSON.stringify(maybe(0.2) ? [pick(['172', 'Skyhawk', 'PA-44'])] : []),
    ])
  }
  for (const { orgUserId } of [...instructors, ...students, ...renters]) {
    const value = (of: object | null) => of && { value: of }
    const grade = pick(['student', 'private', 'commercial', 'airline_transport'])
    const verified = {
      pilotCertificate: value(maybe(0.8) ? { grade, ratings: some(['ASEL', 'AMEL', 'RH', 'GL', 'IR-A']) } : null),
      instructorCertificate: value(maybe(0.7) ? { ratings: some(['CFI-ASE', 'CFI-AME', 'CFI-H', 'CFI-G']) } : null),
      priorExperience: value({
        loggedBefore: some(['CPX', 'HP', 'TW']),
        hours: [{ makeAndModel: pick(['PA44', 'r44', 'maker pa-44']), picDeciHours: pick([10, 60]) }],
      }),
    }
    await pool.query(
      `insert into member_profile (organization_id, membership_id, facts, verified) values ($1, $2, '{}', $3)
       on conflict (organization_id, membership_id) do update set verified = excluded.verified`,
      [school.organizationId, orgUserId, JSON.stringify(verified)],
    )
  }
  await pool.query(
    'update endorsement set superseded_at = $2, superseded_by_id = id where organization_id = $1 and superseded_at is null',
    [school.organizationId, api.clock.now],
  )
  const codes = ['A.3', 'A.4', 'A.5', 'A.6', 'A.8', 'A.9', 'A.10', 'A.11', 'A.12', 'A.13', 'A.72', 'A.73', 'A.75']
  for (const { orgUserId } of [...students, ...renters, ...instructors]) {
    for (const code of codes.filter(() => maybe(0.75))) {
      const parameters = {
        makeAndModel: pick(['172', 'maker 172s', 'Skyhawk', '172 N', 'PA-44']),
        ...{
          airport: pick(['KJFK', 'KFRG']),
          otherAirport: pick(['KFRG', 'kisp']),
          date: pick(['2026-12-01', '2026-12-02']),
        },
      }
      await pool.query(
        `insert into endorsement (organization_id, membership_id, template_code, template_edition, title, rendered_text,
           parameters, signed_by, signer_certificate_number, expires_at)
         values ($1, $2, $3, 'AC 61-65K', 'E', 'E', $4, $5, '31CFI', $6)`,
        [
          ...[school.organizationId, orgUserId, code, JSON.stringify(parameters), school.instructor.orgUserId],
          pick([null, null, '2026-12-02T03:00:00Z']),
        ],
      )
    }
  }
}

/** Draws a booking of the n-th hour after the first of December. */
function drawBooking(world: World, random: Random, n: number): Drawn {
  const { planes, instructors, students, renters } = world
  const pick = picker(random)
  const type = pick(['rental', 'shared', 'dual', 'solo', 'solo'] as const)
  const start = new Date(Date.parse('2026-12-01T00:00:00Z') + n * HOUR_MS)
  const end = new Date(start.getTime() + HOUR_MS)
  const one = (of: readonly Member[]) => [{ orgUserId: pick(of).orgUserId }]
  const pair = (of: readonly Member[]) => of.slice(0, 2).map(({ orgUserId }) => ({ orgUserId }))
  const personnel = {
    rental: () => ({ renters: one(renters), ...(random() < 0.3 && { instructors: one(instructors) }) }),
    shared: () => ({ pilots: pair(renters) }),
    dual: () => ({ instructors: one(instructors), students: one(students) }),
    solo: () => ({ students: one(students) }),
  }[type]()
  const crossCountry = pick([null, 'within25', 'repeated50', 'beyond'])
  const solo =
    type === 'solo' && random() < 0.6
      ? { airport: pick([null, 'KFRG', 'KISP']), crossCountry, classB: random() < 0.3 }
      : null
  const resource = { id: pick(planes) }
  const times = { start: start.toISOString(), end: end.toISOString(), timeZoneName: 'UTC' }
  const people = Object.values(personnel).flatMap((seats) => (seats ? seats.map(({ orgUserId }) => orgUserId) : []))
  const query = {
    type,
    startDate: times.start,
    endDate: times.end,
    durationMinutes: '60',
    resourceId: String(resource.id),
    orgUserId: people.join(),
  }
  const said = solo && {
    ...(solo.airport && { soloAirport: solo.airport }),
    ...(solo.crossCountry && { soloCrossCountry: solo.crossCountry }),
    soloClassB: String(solo.classB),
  }
  const openings = `/reservations/openings?${new URLSearchParams({ ...query, ...said })}`
  return { body: { title: 'Random', type, ...times, resource, personnel, solo }, openings, start }
}

async function judgeRound(world: World, drawn: readonly Drawn[]): Promise<number> {
  const { api, school } = world
  const { dispatcher, admin } = school
  const { pool } = api.core.database
  const now = api.clock.now
  const set = async (enforcement: string) => {
    for (const rule of ['pilot_rating', 'endorsement']) {
      await expectOk(api, admin, 'PATCH', `/rules/${rule}`, { enforcement })
    }
    await pool.query('update currency set enforcement = $2 where organization_id = $1 and kind = $3', [
      ...[school.organizationId, enforcement, 'hours_in_model'],
    ])
  }
  const isAsked = ({ rule }: Told) => asked.some((key) => rule === key || rule.startsWith(`${key}:`))
  await set('block')
  const refused: boolean[] = []
  for (const { body, openings } of drawn) {
    const { problems } = await expectOk<{ problems: Told[] }>(
      api,
      ...([dispatcher, 'POST', '/reservations/check', body] as const),
    )
    expect(problems.filter((one) => !isAsked(one))).toEqual([])
    refused.push(problems.length > 0)
    const found = await expectOk<object[]>(api, dispatcher, 'GET', openings)
    expect([found.length > 0, body], 'openings').toEqual([problems.length === 0, body])
  }
  const ids: number[] = []
  for (const [n, { body }] of drawn.entries()) {
    const made = await api.as(dispatcher).post('/reservations', body)
    expect([made.statusCode, body], 'create').toEqual([refused[n] ? 400 : 201, body])
    ids.push(made.json().data?.id)
  }
  await set('warn')
  for (const [n, { body }] of drawn.entries()) {
    if (refused[n]) ids[n] = (await expectOk<{ id: number }>(api, dispatcher, 'POST', '/reservations', body)).id
  }
  await set('block')
  const { database } = api.core
  const desk = (await findDesk(database.db, school.organizationId))!
  const flagged = await judgeAhead(database.db, desk, now, ids)
  const atRisk = new Set(
    flagged.flatMap(({ row, flag }) => (flag.rules.some((rule) => isAsked({ rule })) ? [row.id] : [])),
  )
  expect(ids.map((id) => atRisk.has(id))).toEqual(refused)
  for (const [n, { start, body }] of drawn.entries()) {
    api.clock.now = start
    const url = `/reservations/${ids[n]}/release`
    const { checks } = await expectOk<{ checks: (Told & { status: string })[] }>(api, dispatcher, 'GET', url)
    const blocks = checks.some((one) => isAsked(one) && one.status === 'block')
    expect([blocks, body], 'release').toEqual([refused[n], body])
  }
  api.clock.now = now
  await pool.query('update reservation set live = false, cancelled_at = $2 where id = any($1)', [ids, now])
  return refused.filter(Boolean).length
}
