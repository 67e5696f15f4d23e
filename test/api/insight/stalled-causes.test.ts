import { describe, expect } from 'vitest'
import { seeded } from '../../support/at-risk.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { causesIn } from '../../support/stalled-causes.ts'
import { buildWorld, insertStalled } from '../../support/stalled-students.ts'

interface Row {
  enrollment: { id: number }
  cause: string
  since: string | null
}

const test = sharedSchoolTest()

/** Each is the cause only where nothing before it is, and none of them takes the lessons or the booking that others need. */
const further = ['balance', 'cancelled', 'repeating', 'instructor_gone', 'waiting_for_signature']

describe('200 generated students (§33.1)', () => {
  test('are each stalled for the cause that was written, whatever later causes there are', async ({ api, school }) => {
    const random = seeded(20_261_121)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    const world = await buildWorld(api, school)
    const causes = causesIn(world)
    const order = Object.keys(causes)
    const written: Row[] = []
    for (let n = 0; n < 200; n++) {
      const cause = order[n % order.length]!
      const later = further.filter((one) => order.indexOf(one) > order.indexOf(cause) && random() < 0.5)
      const facts = [cause, ...later].map((one) => pick(causes[one]!))
      const { enrollmentId, ...expected } = await insertStalled(world, facts)
      written.push({ enrollment: { id: enrollmentId }, ...expected })
    }
    const read = () => expectOk<Row[]>(api, school.admin, 'GET', '/reports/stalled')
    const rows = await read()
    const byId = (all: Row[]) =>
      all
        .map(({ enrollment: { id }, cause, since }) => ({ enrollment: { id }, cause, since }))
        .toSorted((one, other) => one.enrollment.id - other.enrollment.id)
    expect(byId(rows)).toEqual(byId(written))
    expect(await read()).toEqual(rows)
  })
})
