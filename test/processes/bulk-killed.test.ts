import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type StartedBackend, startBackend, testedBackends } from '../support/backends.ts'
import { buildMember, buildPlane, buildSchool, type School } from '../support/builders.ts'
import { eventually, until } from '../support/eventually.ts'
import { bookDual, expectOk } from '../support/flights.ts'
import { type HeldRow, holdRow } from '../support/held-row.ts'
import { type OperationAnswer, readBulk } from '../support/operations.ts'
import { startWorkerProcess } from '../support/processes.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Crews of an aircraft, an instructor and a student. A transaction changes at most 50 bookings that share nothing: those of one crew. */
const CREWS = 4
const DAYS = 26
/** Before the changes of these crews a worker is killed; the changes of a crew lie between two kills. */
const KILLED_BEFORE = [0, 1, 3]

describe.each(testedBackends())('a bulk whose worker is killed, queues in %s (§Reservations)', (kind) => {
  let queues: StartedBackend
  let api: TestApp
  beforeAll(async () => {
    queues = await startBackend(kind)
    api = await startTestApp({ realTime: true, env: queues.env })
  })
  afterAll(async () => {
    await api.close()
    await queues.stop()
  })

  test('goes on with another worker, and moves each booking once', async () => {
    const school = await buildSchool(api)
    const crews: School[] = []
    for (let crew = 0; crew < CREWS; crew++) crews.push(await crewOf(api, school))
    const first = Math.ceil(Date.now() / DAY_MS + 7) * DAY_MS + 10 * HOUR_MS
    const instant = (day: number, hours = 0) => new Date(first + day * DAY_MS + hours * HOUR_MS).toISOString()
    const bookings: { id: number; crew: number; day: number }[] = []
    for (const [crew, theirs] of crews.entries()) {
      for (let day = 0; day < DAYS; day++) {
        const id = await bookDual(api, theirs, { start: instant(day), end: instant(day, 2) })
        bookings.push({ id, crew, day })
      }
    }
    const held: HeldRow[] = []
    for (const crew of KILLED_BEFORE) {
      held.push(await holdRow(api, 'reservation', bookings.find((booking) => booking.crew === crew)!.id))
    }

    const body = { ids: bookings.map(({ id }) => id), action: { move: { minutes: 60 } } }
    const { id } = await expectOk<OperationAnswer>(api, school.dispatcher, 'POST', '/reservations/bulk', body)
    for (const booking of held) {
      const victim = await startWorkerProcess(api.config, {}, ['upkeep'])
      await until(booking.waitedFor)
      await victim.kill()
      await booking.release()
    }
    const last = await startWorkerProcess(api.config, {}, ['upkeep'])
    const { operation, rows } = await eventually(
      () => readBulk(api, school.dispatcher, id),
      (read) => read.operation.status === 'done',
    )
    expect(operation).toMatchObject({ succeeded: CREWS * DAYS, failed: 0 })
    expect(rows.map(({ outcome }) => outcome)).toEqual(Array(CREWS * DAYS).fill('done'))
    for (const { id: booking, day } of bookings) {
      const { start } = await expectOk<{ start: string }>(api, school.dispatcher, 'GET', `/reservations/${booking}`)
      expect(start).toBe(instant(day, 1))
    }
    expect(await last.terminate()).toBe(0)
  })
})

/** Builds another aircraft of a school, with an instructor and a student of its own. */
async function crewOf(api: TestApp, school: School): Promise<School> {
  const { organizationId } = school
  return {
    ...school,
    plane: await buildPlane(api, school),
    instructor: await buildMember(api, organizationId, ['instructor']),
    student: await buildMember(api, organizationId, ['student']),
  }
}
