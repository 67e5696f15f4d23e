import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltSchool, buildDemoSchool } from '../../local/demo/school/build-school.ts'
import { wantsDemoSchool } from '../../local/demo/school/demo-school.ts'
import { DEMO_PASSWORD } from '../../local/demo/school/people.ts'
import { saveDemoCard } from '../../local/demo/school/save-card.ts'
import { jsonOf, type Operation, operationsOf, readDocument } from '../contract/support/document.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { checkSeals } from '../support/seals.ts'
import { SECRET_KEY, startSimulator, type TestSimulator } from '../support/stripe-simulator.ts'

const NOW = new Date('2026-06-01T15:00:00Z')
const YEAR = 'startDate=2026-01-01T00:00:00Z&endDate=2026-12-31T00:00:00Z'

interface Signed {
  signedBy: { certificateNumber: string }
}

let api: TestApp
let simulator: TestSimulator
let school: BuiltSchool
let owner: { token: string }

beforeAll(async () => {
  const providers = { ZOOM_CLIENT_ID: 'zoom', ZOOM_CLIENT_SECRET: 'secret' }
  simulator = await startSimulator()
  const processor = { STRIPE_API_BASE: simulator.url, STRIPE_SECRET_KEY: SECRET_KEY }
  api = await startTestApp({ env: { ...providers, ...processor } })
  api.clock.now = NOW
  const { database, clock } = api.core
  const keys = JSON.parse(api.config.AUTH_KEYS ?? '')
  const receiverUrl = 'http://127.0.0.1:12112'
  school = await buildDemoSchool({ database, clock, keys, invoices: true, receiverUrl, files: true })
  owner = await signIn('olivia')
  // The demo saves a card as soon as the service runs, on the processor's page.
  await saveDemoCard(await api.app.listen({ port: 0, host: '127.0.0.1' }))
}, 120_000)
afterAll(async () => {
  await api.close()
  await simulator.close()
})

async function signIn(who: string): Promise<{ token: string }> {
  const body = { email: `${who}@bayflight.example`, password: DEMO_PASSWORD }
  return (await api.call('POST', '/auth', { body })).json().data
}

async function list(path: string, who = owner): Promise<{ id: number; status: string }[]> {
  const response = await api.as(who).get(path)
  expect.soft(response.statusCode, `${path} ${response.body.slice(0, 200)}`).toBe(200)
  return response.json().data ?? []
}

/** The records whose lists are read, and the questions of lists that need one. */
async function addresses(): Promise<Record<string, string>> {
  const { actors, resourceIds } = school
  const first = async (path: string) => (await list(path))[0]?.id
  const week = 'startDate=2026-06-08T07:00:00Z&endDate=2026-06-10T07:00:00Z'
  const stella = actors.stella.orgUserId
  return {
    '/orgUsers/{id}/availability': `/orgUsers/${actors.ivan.orgUserId}/availability`,
    '/resources/{id}/approvedUsers': `/resources/${resourceIds.N206FL}/approvedUsers`,
    '/users/{userId}/approvedResources': `/users/${actors.rita.accountId}/approvedResources`,
    '/resources/{id}/files': `/resources/${resourceIds.N734FL}/files`,
    '/maintenance/reminders/{id}/history': `/maintenance/reminders/${(await list('/maintenance/reminders?sort=limits.0.lastDoneAt&order=desc&limit=1'))[0]?.id}/history`,
    '/reservations/resource/{resourceId}': `/reservations/resource/${resourceIds.N734FL}`,
    '/reservations/user/{userId}': `/reservations/user/${actors.stella.accountId}`,
    '/reservations': `/reservations?${YEAR}`,
    '/operations/{id}/rows': `/operations/${await first('/operations')}/rows`,
    '/reservations/{id}/history': `/reservations/${await first(`/reservations?${YEAR}&sort=start`)}/history`,
    '/maintenance/slots': `/maintenance/slots?resourceId=${resourceIds.N734FL}&hours=4&${week}`,
    '/reservations/openings': `/reservations/openings?type=dual&durationMinutes=120&resourceId=${resourceIds.N734FL}&${week}`,
    '/orgUsers/{id}/currencies': `/orgUsers/${stella}/currencies`,
    '/orgUsers/{id}/logbook': `/orgUsers/${stella}/logbook`,
    '/training/instructors/{orgUserId}/records': `/training/instructors/${actors.ivan.orgUserId}/records`,
    '/invoices/{id}/creditNotes': `/invoices/${await first('/invoices?sort=creditedCents&order=desc&limit=1')}/creditNotes`,
    '/invoices/orgUsers/{orgUserId}': `/invoices/orgUsers/${stella}`,
    '/orgUsers/{id}/ledger': `/orgUsers/${stella}/ledger`,
    '/orgUsers/{id}/paymentMethods': `/orgUsers/${stella}/paymentMethods`,
    '/orgUsers/{id}/packages': `/orgUsers/${stella}/packages`,
    '/todo': `/todo?orgUserId=${actors.ivan.orgUserId}`,
    '/training/enrollments/{enrollmentId}/packetDocuments': `/training/enrollments/${await first('/training/enrollments?sort=plannedTestAt&order=desc&limit=1')}/packetDocuments`,
    '/training/candidates': `/training/candidates?orgUserId=${stella}`,
    '/public/organizations/{orgId}/offerings': `/public/organizations/${actors.olivia.organizationId}/offerings`,
    '/public/offerings/{id}/openings': `/public/offerings/${await first('/offerings')}/openings?${week}`,
    '/reports/views/{id}/run': `/reports/views/${await first('/reports/views')}/run`,
    '/search': '/search?q=stella',
    '/webhooks/{id}/deliveries': `/webhooks/${await first('/webhooks')}/deliveries`,
  }
}

describe('what is signed in the demo school', () => {
  test('is sealed in every kind, and each latest seal of a record agrees with the record', async () => {
    const seals = await checkSeals(api, school.actors.olivia.organizationId)
    expect(seals.map(({ number }) => number)).toEqual(seals.map((_, index) => index + 1))
    expect(seals.filter(({ authentic }) => !authentic)).toEqual([])
    const latest = new Map(seals.map((seal) => [`${seal.kind} ${seal.id}`, seal]))
    expect([...latest.values()].filter(({ intact }) => !intact)).toEqual([])
    const kinds = new Set(seals.map(({ kind }) => kind))
    expect([...kinds].sort()).toEqual([
      'endorsement.issued',
      'enrollment.certified',
      'maintenance.completed',
      'reservation.confirmed',
      'reservation.corrected',
      'reservation.signed_off',
      'training_record.countersigned',
      'training_record.signed',
    ])
  })
})

describe('the demo school', () => {
  test('has something in every list that its owner can read', async () => {
    const lists = operationsOf(await readDocument(api)).filter(
      ({ method, responses }) => method === 'GET' && isList(responses),
    )
    expect(lists.length).toBeGreaterThan(50)
    const at = await addresses()
    const empty: string[] = []
    for (const { path } of lists) {
      // Who books instantly never asks: the requests of a renter.
      const who = path === '/booking-requests/me' ? await signIn('rita') : owner
      if ((await list(at[path] ?? path, who)).length === 0) empty.push(path)
    }
    expect(empty).toEqual([])
  })

  test('trains students at several stages of two courses, one of them under Part 141', async () => {
    const { data: courses } = (await api.as(owner).get('/training/courses')).json()
    expect(courses.map(({ regulatoryPart }: { regulatoryPart: string }) => regulatoryPart).sort()).toEqual([
      'part141',
      'part61',
    ])
    const { data } = (await api.as(owner).get('/training/enrollments?sort=student.name')).json()
    const stages = data.map((one: { student: { name: string }; status: string; progress: { completed: number } }) => [
      one.student.name.split(' ')[0],
      one.status,
      one.progress.completed,
    ])
    expect(stages).toEqual([
      ['Lena', 'enrolled', 1],
      ['Mika', 'enrolled', 12],
      ['Nora', 'enrolled', 1],
      ['Otto', 'enrolled', 1],
      ['Pia', 'enrolled', 1],
      ['Quinn', 'enrolled', 1],
      ['Rita', 'graduated', 3],
      ['Sam', 'enrolled', 3],
      ['Samir', 'enrolled', 11],
      ['Sofia', 'enrolled', 2],
      ['Stella', 'enrolled', 8],
      ['Theo', 'enrolled', 1],
    ])
  })

  test('has a student ten days before the practical test with two things left to do', async () => {
    const { data } = (await api.as(owner).get('/training/students')).json()
    const { enrollmentId: id } = data.find((row: { plannedTestAt: string | null }) => row.plannedTestAt !== null)
    const { data: readiness } = (await api.as(owner).get(`/training/enrollments/${id}/readiness`)).json()
    const open = readiness.items.filter(({ status }: { status: string }) => status !== 'met')
    expect(open.map(({ key, status, owner }: Record<string, string>) => [key, status, owner])).toEqual([
      ['endorsement:A.37', 'missing', 'instructor'],
      ['aircraft:hundred_hour', 'ends_before', 'school'],
    ])
    expect(readiness).toMatchObject({ verdict: 'not_ready', open: 2 })
  })

  test('has a stalled student for each common cause', async () => {
    const rows = (await api.as(owner).get('/reports/stalled')).json().data
    type Row = { enrollment: { student: { name: string } }; cause: string }
    const causes = rows.map(({ enrollment: { student }, cause }: Row) => [
      student.name.split(' ')[0],
      cause.replace(/^(repeating):.*/, '$1'),
    ])
    expect(causes.toSorted()).toEqual([
      ['Lena', 'balance'],
      ['Mika', 'medical'],
      ['Nora', 'no_booking'],
      ['Otto', 'cancelled:weather'],
      ['Pia', 'repeating'],
      ['Quinn', 'waiting_for_signature'],
    ])
  })

  test('has the certificate number of every instructor, with which they sign', async () => {
    const { ivan, isabel } = school.actors
    for (const { orgUserId } of [ivan, isabel]) {
      const { data } = (await api.as(owner).get(`/orgUsers/${orgUserId}/profile`)).json()
      expect(data.instructorCertificate.number).toMatch(/^\d{7}CFI$/)
      const endorsements = await list(`/training/endorsements?signedBy=${orgUserId}`)
      const numbers = endorsements.map((one) => (one as unknown as Signed).signedBy.certificateNumber)
      expect(new Set(numbers)).toEqual(new Set([data.instructorCertificate.number]))
    }
  })

  test('has a renter without the endorsement for a high-performance airplane, whose bookings warn of it', async () => {
    const { rita } = school.actors
    const [skylane] = (await list('/resources/aircraft?sort=name')).filter(
      (one) => 'name' in one && one.name === 'N206FL',
    )
    const start = new Date(api.clock.now.getTime() + 21 * 86_400_000)
    const { data } = (
      await api.as(owner).post('/reservations/check', {
        title: 'To Reno',
        type: 'rental',
        timeZoneName: 'America/Los_Angeles',
        resource: { id: skylane!.id },
        start: start.toISOString(),
        end: new Date(start.getTime() + 7_200_000).toISOString(),
        personnel: { renters: [{ orgUserId: rita.orgUserId }] },
      })
    ).json()
    const fix = expect.objectContaining({ action: 'sign_endorsement', codes: ['A.73'] })
    expect(data.warnings).toContainEqual(expect.objectContaining({ code: 'RATING_MISSING', fix }))
  })

  test('has a grounded aircraft, squawks of every status, and an inspection that comes due', async () => {
    expect((await list('/maintenance/squawks')).map(({ status }) => status).sort()).toEqual([
      'deferred',
      'in_progress',
      'open',
      'resolved',
    ])
    expect((await list('/maintenance/reminders')).map(({ status }) => status).sort()).toEqual([
      'due_soon',
      'due_soon',
      'ok',
      'ok',
      'ok',
      'ok',
      'ok',
      'ok',
      'overdue',
    ])
    const { data } = (await api.as(owner).get(`/resources/${school.resourceIds.N61FL}`)).json()
    expect(data.grounded).toBe(true)
  })

  test('shows a warning, an override, a booking at risk and a late flight in its week', async () => {
    interface Booking {
      id: number
      type: string
      status: string
      overrides: { rule: string }[]
    }
    const dana = await signIn('dana')
    const read = async <T>(path: string) => (await api.as(dana).get(path)).json().data as T
    const ahead = 'startDate=2026-06-01T07:00:00Z&endDate=2026-06-08T07:00:00Z'
    const week = await read<Booking[]>(`/reservations?${ahead}`)
    expect(week.flatMap(({ overrides }) => overrides.map(({ rule }) => rule))).toEqual(['availability'])
    expect(await read<unknown[]>(`/reservations/atRisk?${ahead}`)).not.toEqual([])
    expect((await read<{ late: unknown[] }>('/board')).late).toHaveLength(1)
    const flights = week.filter(({ type, status }) => status === 'booked' && ['dual', 'solo', 'rental'].includes(type))
    const checks = []
    for (const { id } of flights) {
      const release = await read<{ checks: { rule: string; status: string }[] }>(`/reservations/${id}/release`)
      checks.push(...release.checks.filter(({ status }) => status === 'warn').map(({ rule }) => rule))
    }
    expect(checks).toEqual(expect.arrayContaining(['inspection_due', 'endorsement', 'open_squawk']))
  })

  test('has paid its instructors what they earned by a week ago, to the cent', async () => {
    const runs = (await list('/payRuns')) as unknown as { startDate: string; endDate: string; amountCents: number }[]
    expect(runs).toHaveLength(2)
    const [last, first] = runs
    const earned = await list(`/reports/instructorPay?startDate=${first!.startDate}&endDate=${last!.endDate}`)
    const sum = (rows: { amountCents: number }[]) => rows.reduce((total, { amountCents }) => total + amountCents, 0)
    expect(sum(runs)).toBe(sum(earned as unknown as { amountCents: number }[]))
    expect(sum(runs)).toBeGreaterThan(100_000)
  })

  test('bills a parent for the flight of a student, and shows the figures of a corrected flight', async () => {
    const invoices = (await list('/invoices?sort=id&limit=100')) as unknown as {
      billedFor: { name: string } | null
      customer: { name: string } | null
    }[]
    const paidFor = invoices.filter(({ billedFor }) => billedFor !== null)
    expect(paidFor).toMatchObject([{ customer: { name: 'Hana Haddad' }, billedFor: { name: 'Samir Haddad' } }])
    const flights = (await list(`/reservations?${YEAR}&limit=100`)) as unknown as { correctedAfterSigning: unknown }[]
    expect(flights.filter((flight) => flight.correctedAfterSigning !== null)).toMatchObject([
      { correctedAfterSigning: { reason: 'The Hobbs was read 0.3 too far' } },
    ])
  })

  test('dates what happened when it happened, over three months', async () => {
    const tables = ['reservation', 'ledger_entry', 'enrollment', 'training_record', 'squawk', 'notification', 'guest']
    for (const table of tables) {
      const { rows } = await api.core.database.pool.query<{ late: number }>(
        `select count(*) filter (where created_at > $1)::int as late from ${table}`,
        [NOW],
      )
      expect.soft(rows, table).toEqual([{ late: 0 }])
    }
    const [oldest] = await list(`/reservations?${YEAR}&sort=start&limit=1`)
    expect(oldest).toMatchObject({ start: '2026-03-09T15:30:00.000Z' })
  })
})

describe('whether npm start makes the demo school', () => {
  const embedded = { DEMO_SCHOOL: undefined, DATABASE_URL: undefined, SMTP_URL: undefined }
  const given = { DATABASE_URL: 'postgresql://db.example/flightline', SMTP_URL: 'smtp://mail.example' }
  test.each([
    ['in an embedded database with embedded mail', embedded, true],
    ['not in a database that the environment names', { ...embedded, DATABASE_URL: given.DATABASE_URL }, false],
    ['not beside a mail server that the environment names', { ...embedded, SMTP_URL: given.SMTP_URL }, false],
    ['in both of them when it is asked for', { ...given, DEMO_SCHOOL: 'on' as const }, true],
    ['nowhere when it is turned off', { ...embedded, DEMO_SCHOOL: 'off' as const }, false],
  ])('%s', (_where, environment, wanted) => {
    expect(wantsDemoSchool(environment, undefined)).toBe(wanted)
    expect(wantsDemoSchool(environment, 'production')).toBe(false)
  })
})

function isList(responses: Operation['responses']): boolean {
  const { data } = jsonOf(responses[200] ?? {})?.schema?.properties ?? {}
  return data?.type === 'array'
}
